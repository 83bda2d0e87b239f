"""`build --watch`: builds again after each change, also after one that does not build."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from subprocess import Popen

import pytest

from kernel_builder.commands.watch import INTERVAL, list_states
from tests.cli.command_line import Cli, Started
from tests.cli.fake_kernel import FakeKernel


def read_until(process: Popen[str], word: str) -> str:
    """Return what the command prints up to the line with a word."""
    assert process.stderr
    read = ""
    for line in process.stderr:
        read += line
        if word in line:
            return read
    pytest.fail(f"it ended: {read}")


def test_each_change_builds_again(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("a-cpu")
    folder = kernel.write()
    (folder / "src").mkdir()
    variants = (folder / "variants.nix").read_text()
    with Started(cli, "build", str(folder / "src"), "--watch") as process:
        read_until(process, "watching")
        first = (folder / "result").readlink()
        (folder / "variants.nix").write_text(variants.replace("a-cpu", "b-cpu"))
        assert "changed: variants.nix\n" in read_until(process, "watching")
        second = (folder / "result").readlink()
        assert second != first
        (folder / "build.toml").write_text("[general")
        (folder / "new.cpp").touch()
        said = read_until(process, "watching")
        assert "changed: build.toml, new.cpp\n" in said
        assert "error: " in said
        os.killpg(process.pid, signal.SIGINT)
        _, rest = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "interrupted" in rest
    assert (folder / "result").readlink() == second


def test_the_report_is_no_change(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("a-cpu")
    folder = kernel.write()
    words = ("--watch", "--report", str(folder / "report.json"))
    with Started(cli, "build", str(folder), *words) as process:
        read_until(process, "watching")
        time.sleep(3 * INTERVAL)
        os.killpg(process.pid, signal.SIGINT)
        _, rest = process.communicate(timeout=60)
    assert (folder / "report.json").is_file()
    assert "changed" not in rest


def test_files_that_are_watched(tmp_path: Path) -> None:
    for name in ("a.cpp", "b/c.h", ".git/index", "build/x/y", "env/pyvenv.cfg", "b/c.h~", ".d.swp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "flake.lock").touch()
    (tmp_path / "result").symlink_to("a.cpp")
    (tmp_path / "result-bundle").symlink_to("/")
    assert sorted(list_states(tmp_path)) == [tmp_path / "a.cpp", tmp_path / "b/c.h"]


@pytest.mark.parametrize("option", ["--json", "--untrusted", "--dry-run"])
def test_options_that_do_not_fit(cli: Cli, kernel: FakeKernel, option: str) -> None:
    done = cli("build", str(kernel.write()), "--watch", option)
    assert done.status == 2
    assert "--watch prints text" in done.stderr
