"""The image of the Dockerfile, made and run by buildah, on a Debian that is made here."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.evaluation import ROOT
from tests.machines.debian import HERE, debian_or_skip, work_folder
from tests.skipping import skip
from tests.tiny_kernel import TinyKernel

VARIANT = "torch213-cxx11-cpu-x86_64-linux"
IMAGE = "localhost/kernel-builder:dev"
CHECKOUT = Path("/opt/kernel-builder")
BASE = "localhost/base"
SOMEBODY = 12345
# In a chroot all processes are this machine's, and Nix ends whatever runs as one of its users for
# builds: in a namespace it sees those of the container alone.
ALONE: Final = ("unshare", "--pid", "--fork", "--kill-child", "--mount-proc")


def packages_of_machine() -> Iterator[str]:
    """Yield options that let a container read the folders that this machine's pip reads."""
    argv = ["bash", "-c", '. "$0"/this-machine.sh && pip_folders', str(HERE)]
    found = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
    for folder in map(Path, found.splitlines()):
        # One by one: the image has its checkout beside what pip may read.
        for path in folder.iterdir():
            if path != CHECKOUT:
                yield from ("--volume", f"{path}:{path}:ro")


class Buildah:
    """buildah with images and containers of its own, all in a folder."""

    def __init__(self, folder: Path) -> None:
        places = ("--root", f"{folder}/root", "--runroot", f"{folder}/run")
        self.argv = [*ALONE, "buildah", *places, "--storage-driver", "vfs"]
        self.store = folder / "nix"
        self.store.mkdir()

    def _ask(self, *words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = subprocess.run([*self.argv, *words], capture_output=True, text=True, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done

    def __call__(self, *words: str) -> str:
        return self._ask(*words).stdout.strip()

    def make_base(self, root: Path) -> None:
        """Make an image of a Debian, with this machine's settings of pip."""
        container = self("from", "scratch")
        self("add", "--quiet", container, str(root), "/")
        settings = {name: value for name, value in os.environ.items() if name.startswith("PIP_")}
        for name, value in {**settings, "PIP_CERT": "/etc/machine-ca.crt"}.items():
            self("config", "--env", f"{name}={value}", container)
        self("commit", "--quiet", container, BASE)
        self("rm", container)

    def run(self, kernel: Path, *words: str, status: int = 0, **options: str) -> str:
        """Run a container of the image with a kernel and a store; return what it says.

        What is not named `user` is a variable there.
        """
        container = self("from", "--pull=never", IMAGE)
        entry = self("inspect", "--format", "{{index .OCIv1.Config.Entrypoint 0}}", container)
        user = options.pop("user", "root")
        mounted = ("--volume", f"{kernel}:/kernelcode", "--volume", f"{self.store}:/nix")
        variables = [word for pair in options.items() for word in ("--env", "=".join(pair))]
        own = ("--isolation", "chroot", "--user", user, *mounted, *packages_of_machine())
        try:
            asked = ("run", *own, *variables, container, "--", entry, *words)
            done = self._ask(*asked, status=status)
            return done.stdout + done.stderr
        finally:
            self("rm", container)


@pytest.fixture(scope="module")
def buildah() -> Iterator[Buildah]:
    """One that has the image."""
    if not shutil.which("buildah"):
        skip("no buildah to make images with", installable=True)
    with debian_or_skip("bookworm") as base, work_folder() as folder:
        made = Buildah(folder)
        made.make_base(base.root)
        checkout = folder / "checkout"
        subprocess.run([HERE / "copy-checkout.sh", checkout], check=True)
        options = ("--isolation", "chroot", "--pull=never", *packages_of_machine())
        made("bud", *options, "--build-arg", f"BASE={BASE}", "--tag", IMAGE, str(checkout))
        yield made


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kernel that belongs to somebody."""
    folder = TinyKernel(tmp_path_factory.mktemp("container") / "kernel").folder
    for path in (folder, *folder.rglob("*")):
        os.chown(path, SOMEBODY, SOMEBODY)
    return folder


@pytest.fixture(scope="module")
def first_run(buildah: Buildah, kernel: Path) -> str:
    """Return the output of the first container with this kernel."""
    return buildah.run(kernel, "--variant", VARIANT, MAX_JOBS="1", CORES="1")


def test_it_builds_what_is_mounted(kernel: Path, first_run: str) -> None:
    assert "no sandbox: builds see the files of this container" in first_run
    assert "built" in first_run
    made = [kernel, *kernel.rglob("*")]
    assert kernel / "build" / VARIANT / "metadata.json" in made
    assert {path.lstat().st_uid for path in made} == {SOMEBODY}
    assert not (kernel / "result").is_symlink()
    assert (kernel / "build" / "sandbox" / VARIANT).read_text() == "off\n"


def test_another_container_builds_nothing_again(
    buildah: Buildah, kernel: Path, first_run: str
) -> None:
    assert "answer.cpp" in first_run
    before = sorted((kernel / "build" / VARIANT).rglob("*"))
    shutil.rmtree(kernel / "build")
    # The second run builds nothing, and knows that the first had no sandbox.
    said = buildah.run(kernel, "--variant", VARIANT, "--option", "sandbox", "true")
    assert "answer.cpp" not in said
    assert sorted((kernel / "build" / VARIANT).rglob("*")) == before
    assert (kernel / "build" / "sandbox" / VARIANT).read_text() == "off\n"


def test_an_example_alone(buildah: Buildah, tmp_path: Path) -> None:
    example = shutil.copytree(ROOT / "examples" / "relu", tmp_path / "relu")
    assert VARIANT in buildah.run(example, "list-variants").split()


def test_as_another_user(buildah: Buildah, kernel: Path) -> None:
    said = buildah.run(kernel, user=f"{SOMEBODY}", status=1)
    assert "leave --user out" in said
