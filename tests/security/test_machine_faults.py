"""Faults of the machine that the command line meets: damaged locks, closed outputs, limits."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command_line import PACKAGE, Cli
from tests.cli.fake_kernel import FakeKernel
from tests.skipping import skip


@pytest.mark.fault(
    "list-variants", "flake.lock is cut, or has conflict marks", "an error with file and fix"
)
@pytest.mark.parametrize("text", ['{ "nodes": {', "<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> x\n"])
def test_a_damaged_lock(cli: Cli, kernel: FakeKernel, text: str) -> None:
    kernel.add("one")
    lock = kernel.write() / "flake.lock"
    lock.write_text(text)
    done = cli("list-variants", str(kernel.folder))
    assert done.status == 1
    assert f"at     {lock}\n" in done.stderr
    assert ("conflict marks" in done.stderr) == ("<<<<<<<" in text)
    assert "fix    git checkout HEAD -- flake.lock" in done.stderr


@pytest.mark.fault(
    "list-variants", "stdout is closed, a broken pipe, a full device", "an end without a trace"
)
@pytest.mark.parametrize(("redirection", "status"), [(">&-", 0), ("| true", 0), (">/dev/full", 1)])
@pytest.mark.parametrize("words", ["list-variants", "list-variants --json"])
def test_broken_outputs(
    cli: Cli, kernel: FakeKernel, redirection: str, status: int, words: str
) -> None:
    kernel.add("one")
    line = f'"$@" {words} {shlex.quote(str(kernel.write()))} {redirection}'
    cli.before = ["sh", "-c", line.replace('"$@"', '"$0" "$@"')]
    done = cli()
    assert done.status == status, done.stderr
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stderr
    assert ("No space left" in done.stderr) == (redirection == ">/dev/full")


@pytest.mark.fault("list-variants", "ulimit -f and ulimit -n", "Nix's words; or not needed")
@pytest.mark.parametrize(("limit", "status"), [("-f 0", 1), ("-n 20", 0)])
def test_limits_of_the_shell(cli: Cli, kernel: FakeKernel, limit: str, status: int) -> None:
    kernel.add("one")
    folder = kernel.write()
    cli.before = ["sh", "-c", f'ulimit {limit}; exec "$0" "$@"']
    done = cli("list-variants", str(folder))
    assert done.status == status, done.stderr
    assert done.stderr.startswith("error: " * status)


@pytest.mark.parametrize("words", ["fill-card {k} /sys/CARD.md", "create-pyproject {k} /sys/x"])
def test_a_place_that_cannot_be_written(cli: Cli, kernel: FakeKernel, words: str) -> None:
    kernel.add("one")
    flake = kernel.write() / "flake.nix"
    more = 'card = sh "k-card-${salt}" "echo card > $out" [ ]; authorVariants = variants; '
    more += 'project.one = { files.a = ""; torch = ""; units = [ ]; pyext = [ ]; '
    more += 'pythonFolder = "-"; }; '
    flake.write_text(flake.read_text().replace("inherit bundleOf", f"{more} inherit bundleOf", 1))
    done = cli(*words.format(k=kernel.folder).split())
    assert done.status == 1
    place = words.split()[-1]
    assert f"at     {place}\n" in done.stderr
    assert "name another file or folder to write to" in done.stderr


@pytest.mark.fault("build", "TMPDIR is full", "an error with the variable")
def test_a_full_folder_is_named(tmp_path: Path) -> None:
    script = (
        "import tempfile; from kernel_builder.nix.errors import make_nix_error;"
        "print(make_nix_error('write: No space left on device').problems[0].at)"
    )
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = f"mount -t tmpfs -o size=64k none {disk} && TMPDIR={disk} exec {sys.executable} -c"
    argv = ["unshare", "--mount", "--map-root-user", "sh", "-c", f"{mount} {shlex.quote(script)}"]
    environment = {**os.environ, "PYTHONPATH": str(PACKAGE)}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        skip(f"no mount namespace: {done.stderr.strip()}", installable=False)
    assert done.stdout == f"/nix, or {disk} (TMPDIR)\n"
