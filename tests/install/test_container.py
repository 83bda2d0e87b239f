"""Commands that a container runs, recorded by programs that do nothing else."""

import os
import subprocess
from pathlib import Path

import pytest
from pathspec import PathSpec

from tests.evaluation import ROOT, call
from tests.install.fake_machine import write_program

SCRIPT = ROOT / "install/container.sh"
LOOKS = "nix-build --no-out-link --option sandbox true --option sandbox-fallback false"


class Container:
    """A container with a kernel in it, whose Nix can make a sandbox."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kernel = folder / "kernel"
        self.bin = folder / "bin"
        for made in (self.kernel, self.bin):
            made.mkdir()
        (self.kernel / "build.toml").touch()
        for program in ("git", "nix-build", "chown"):
            self.fake(program)
        self.fake("id", "echo 0")
        self.fake("kernel-builder", "mkdir build; touch flake.lock; ln -s /nix/store/x result")

    def fake(self, program: str, body: str = "") -> None:
        write_program(self.bin / program, f'echo "{program} $*" >>{self.folder}/calls\n{body}')

    def run(self, *words: str, status: int = 0, **variables: str) -> str:
        environment = {"KERNEL_FOLDER": str(self.kernel), "HOME": str(self.folder), **variables}
        environment["PATH"] = f"{self.bin}:{os.environ['PATH']}"
        done = call(SCRIPT, *words, status=status, env=environment, stderr=subprocess.STDOUT)
        return done.stdout

    def calls(self, program: str) -> list[str]:
        lines = (self.folder / "calls").read_text().splitlines()
        return [line for line in lines if line.startswith(f"{program} ")]

    def given(self) -> set[str]:
        """Return what was handed to the owner of the kernel's folder."""
        head = ["chown", "-h", f"--reference={self.kernel}"]
        words = [word for call in self.calls("chown") for word in call.split()]
        assert [word for word in words if word in head] == head
        return {Path(word).name for word in words if word not in head}


@pytest.fixture
def container(tmp_path: Path) -> Container:
    return Container(tmp_path)


def test_it_builds_for_the_owner(container: Container) -> None:
    assert container.run() == ""
    assert container.calls("kernel-builder") == ["kernel-builder build-and-copy"]
    assert {"build", "flake.lock"} <= container.given()
    # A link into the container's store.
    assert not (container.kernel / "result").is_symlink()


def test_it_builds_in_a_sandbox(container: Container) -> None:
    container.fake("kernel-builder", 'echo "$NIX_CONFIG"')
    said = container.run(NIX_CONFIG="cores = 1")
    assert said.splitlines() == ["cores = 1", "sandbox = true"]
    (looked,) = container.calls("nix-build")
    assert looked.startswith(LOOKS)


def test_limits_and_options(container: Container) -> None:
    container.run("--backend", "cpu", MAX_JOBS="8", CORES="2")
    assert container.calls("kernel-builder") == [
        "kernel-builder build-and-copy --max-jobs 8 --cores 2 --backend cpu"
    ]


@pytest.mark.parametrize(
    ("user", "variables", "found"),
    [("1000", {}, "user 1000"), ("0", {"MAX_JOBS": "0"}, "0"), ("0", {"MAX_JOBS": "2x"}, "2x")],
)
def test_what_is_refused(
    container: Container, user: str, variables: dict[str, str], found: str
) -> None:
    container.fake("id", f"echo {user}")
    assert f"found  {found}\n" in container.run(status=1, **variables)


def test_no_right_to_make_a_sandbox(container: Container) -> None:
    container.fake("nix-build", "exit 1")
    container.fake("kernel-builder", 'echo "settings: $NIX_CONFIG"')
    said = container.run().splitlines()
    assert said[0].startswith("no sandbox: builds see the files of this container")
    assert said[1:] == ["settings: "]


def test_what_a_failed_build_made_is_the_owners_too(container: Container) -> None:
    container.fake("kernel-builder", "mkdir build; exit 3")
    container.run(status=3)
    assert "build" in container.given()


def test_nothing_is_mounted(container: Container) -> None:
    (container.kernel / "build.toml").unlink()
    said = container.run(status=1)
    assert "error: there is no kernel to build" in said
    assert 'docker run --rm -v "$PWD":/kernelcode' in said


def test_the_image_lacks_no_file_of_the_checkout() -> None:
    files = call("git", "-C", ROOT, "ls-files").stdout.splitlines()
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert list(PathSpec.from_lines("gitignore", ignored).match_files(files)) == []
