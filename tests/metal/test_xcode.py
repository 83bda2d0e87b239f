"""The search for the machine's Xcode, and its errors."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import ROOT

FOLDER = ROOT / "pkgs" / "darwin" / "xcode"
CHOSEN = "sudo xcode-select -s"


class Mac:
    """A machine with stand-ins for Apple's programs, and the compilers of the package set."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.xcode = folder / "Xcode.app/Contents/Developer"
        self.bin = folder / "bin"
        self.bin.mkdir()
        self.write("uname", "echo Darwin")
        self.write("xcode-select", f"echo {self.xcode}")
        self.write("plutil", 'for last; do :; done; cat "$last"')
        self.write("xcrun", 'echo "$DEVELOPER_DIR: $*"')
        environment = {"out": f"{folder}/tools", "least": "26.0", "programs": "clang++ metal"}
        files = {"find": f"{FOLDER}/find.sh", "call": f"{FOLDER}/call.sh"}
        argv = ["sh", "-eu", str(FOLDER / "assemble.sh")]
        subprocess.run(argv, env={**os.environ, **environment, **files}, check=True)

    def write(self, name: str, script: str) -> None:
        """Add a program."""
        file = self.bin / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(0o755)

    def install(self, version: str) -> None:
        """Add an Xcode."""
        self.xcode.mkdir(parents=True, exist_ok=True)
        (self.xcode.parent / "version.plist").write_text(version + "\n")

    def call(self, program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call a compiler in the same way as a builder."""
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}"}
        argv = [f"{self.folder}/tools/bin/{program}", *arguments]
        return subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def mac(tmp_path: Path) -> Mac:
    return Mac(tmp_path)


@pytest.mark.parametrize("version", ["26.0", "27"])
def test_the_machines_compiler_is_called(mac: Mac, version: str) -> None:
    mac.install(version)
    done = mac.call("clang++", "-c", "a b.mm")
    assert done.stdout == f"{mac.xcode}: --sdk macosx clang++ -c a b.mm\n", done.stderr


def test_one_that_the_environment_names_comes_first(mac: Mac) -> None:
    mac.install("26.0")
    mac.write("xcode-select", "exit 1")
    environment = {"PATH": f"{mac.bin}:{os.environ['PATH']}", "DEVELOPER_DIR": str(mac.xcode)}
    said = subprocess.check_output([f"{mac.folder}/tools/bin/metal"], env=environment, text=True)
    assert said == f"{mac.xcode}: --sdk macosx metal\n"


def refusal(found: str, want: str, fix: str) -> str:
    """Return the lines of a refusal after the place."""
    return f"       found  {found}\n       want   {want}\n       fix    {fix}\n"


def test_a_machine_that_is_no_mac(mac: Mac) -> None:
    mac.write("uname", "echo Linux")
    done = mac.call("clang++")
    assert done.returncode == 1
    assert done.stderr == (
        "error: nothing can be compiled for macOS here\n\n       at     this machine\n"
    ) + refusal(
        "Linux",
        "macOS with Xcode 26.0 or newer",
        "build on a Mac, or through a remote builder (nix.conf: builders)",
    )


def test_no_xcode(mac: Mac) -> None:
    mac.write("xcode-select", "echo 'error: no developer tools' >&2; exit 2")
    done = mac.call("metal")
    assert done.returncode == 1
    fix = f"install Xcode; then `{CHOSEN} /Applications/Xcode.app/Contents/Developer`"
    assert done.stderr.endswith(
        "at     xcode-select -p\n" + refusal("nothing", "Xcode 26.0 or newer", fix)
    )


def test_the_command_line_tools_alone(mac: Mac) -> None:
    mac.xcode.mkdir(parents=True)
    done = mac.call("metal")
    assert done.returncode == 1
    assert "no Xcode: it has no version.plist beside it, as the Command Line Tools" in done.stderr


@pytest.mark.parametrize("version", ["16.4", ""])
def test_an_older_xcode(mac: Mac, version: str) -> None:
    mac.install(version)
    done = mac.call("clang++")
    assert done.returncode == 1
    assert done.stderr.endswith(
        f"at     {mac.xcode}\n"
        + refusal(
            f"Xcode {version or 'of no version'}",
            "Xcode 26.0 or newer",
            f"install a newer Xcode, or choose it with `{CHOSEN}`",
        )
    )


def test_an_xcode_without_the_compiler_of_shaders(mac: Mac) -> None:
    mac.install("26.1")
    mac.write("xcrun", 'case $* in *metal*) exit 1 ;; *) echo "$*" ;; esac')
    done = mac.call("metal", "-c", "add.metal")
    assert done.returncode == 1
    assert done.stderr.endswith(
        refusal(
            "Xcode 26.1 without its Metal toolchain",
            "`xcrun metal`",
            "`xcodebuild -downloadComponent MetalToolchain`",
        )
    )
    assert mac.call("clang++").returncode == 0
