"""The search for the machine's Xcode with its errors, and the header with the shaders."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.evaluation import ROOT
from tests.install.fake_machine import write_program

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
        write_program(self.bin / name, script)

    def install(self, version: str) -> None:
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


# A change of a machine with Xcode 26.1: the version of Xcode, or a program and its script; and
# words of the message.
REFUSALS = {
    "no Mac": (
        ("uname", "echo Linux"),
        "error: nothing can be compiled for macOS here at this machine found Linux "
        "want macOS with Xcode 26.0 or newer "
        "fix build on a Mac, or through a remote builder (nix.conf: builders)",
    ),
    "no Xcode": (
        ("xcode-select", "echo 'error: no developer tools' >&2; exit 2"),
        "at xcode-select -p found nothing want Xcode 26.0 or newer "
        f"fix install Xcode; then `{CHOSEN} /Applications/Xcode.app/Contents/Developer`",
    ),
    "Command Line Tools": (None, "it has no version.plist beside it, as the Command Line Tools"),
    "an older one": (
        "16.4",
        "found Xcode 16.4 want Xcode 26.0 or newer "
        f"fix install a newer Xcode, or choose it with `{CHOSEN}`",
    ),
    "one of no version": ("", "found Xcode of no version"),
    "no compiler of shaders": (
        ("xcrun", 'case $* in *metal*) exit 1 ;; *) echo "$*" ;; esac'),
        "found Xcode 26.1 without its Metal toolchain want `xcrun metal` "
        "fix `xcodebuild -downloadComponent MetalToolchain`",
    ),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_a_machine_that_cannot_compile(mac: Mac, name: str) -> None:
    change, words = REFUSALS[name]
    if change is None:
        mac.xcode.mkdir(parents=True)
    else:
        mac.install(change if isinstance(change, str) else "26.1")
    if isinstance(change, tuple):
        mac.write(*change)
    done = mac.call("metal", "-c", "add.metal")
    assert done.returncode == 1
    assert words in " ".join(done.stderr.split())
    # Xcode without its Metal toolchain compiles C++.
    assert (mac.call("clang++").returncode == 0) == (name == "no compiler of shaders")


EMBED = ROOT / "backends/metal/pkgs/embed-library"


def test_the_header_has_the_library_to_the_byte(tmp_path: Path) -> None:
    # All byte values, and a long run of one byte, which some programs abbreviate.
    content = bytes(range(256)) + bytes(1000) + b"MTLB"
    (tmp_path / "linked").write_bytes(content)
    write_program(tmp_path / "metallib", 'echo "$*" >told\ncp linked "$4"')
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "shaders": "add.air scale.air",
        "functions": str(EMBED / "functions.h"),
        "out": str(tmp_path / "metallib.h"),
    }
    argv = ["sh", "-eu", str(EMBED / "embed.sh")]
    subprocess.run(argv, cwd=tmp_path, env=environment, check=True)
    assert (tmp_path / "told").read_text() == "add.air scale.air -o shaders.metallib\n"
    header = (tmp_path / "metallib.h").read_text()
    data = header.partition("metallib_data[] = {")[2].partition("};")[0]
    assert bytes(int(byte, 16) for byte in re.findall(r"0x(..),", data)) == content
    assert "createLibrary(id<MTLDevice> device, NSError **error = nullptr)" in header
