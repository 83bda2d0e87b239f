"""Kernels of one repository that have no flake.lock yet, in one command."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.install.fake_machine import write_program
from tests.tiny_kernel import commit_all

# As git itself, which writes to the index of a repository for one process at a time.
GIT = """\
case " $* " in *" add "*) ;; *) exec @git@ "$@" ;; esac
mkdir @busy@ || exit 128
sleep 0.3
@git@ "$@"
status=$?
rmdir @busy@
exit $status
"""


def test_new_flakes_of_a_repository_are_locked_one_after_another(
    cli: Cli, salt: str, tmp_path: Path
) -> None:
    for name in ("input", "kernels"):
        (tmp_path / name).mkdir()
    folders = []
    for name in ("one", "two", "three"):
        kernel = FakeKernel(tmp_path / "kernels" / name, salt + name)
        kernel.add("a-cpu")
        folders.append(kernel.write())
        flake = folders[-1] / "flake.nix"
        own = f'{{ inputs.other = {{ url = "path:{tmp_path}/input"; flake = false; }};\n'
        flake.write_text(flake.read_text().replace("{", own, 1))
    commit_all(tmp_path / "kernels")
    programs = tmp_path / "bin"
    programs.mkdir()
    text = GIT.replace("@git@", shutil.which("git") or "").replace("@busy@", str(tmp_path / "busy"))
    write_program(programs / "git", text)
    path = f"{programs}:{os.environ['PATH']}"
    done = cli("list-variants", *map(str, folders), PATH=path)
    assert done.status == 0, done.stderr
    assert all((folder / "flake.lock").is_file() for folder in folders)
