"""The command line as `pip install` brings it: in a bare environment, outside of the checkout."""

import os
import shutil
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

from kernel_builder.commands.group import COMMANDS
from tests.evaluation import ROOT, SYSTEM, call
from tests.hub.built import make_bundle
from tests.hub.client import REPO, Client
from tests.hub.conftest import client, hub  # noqa: F401 (fixtures)

REFERENCE = f"git+file://{ROOT}"
# It reads the settings of the machine's pip. The machine may have no program called pip.
PIP = (sys.executable, "-m", "pip")
MAX_PACKAGES = 20
VARIANT = f"torch213-cxx11-cpu-{SYSTEM}"


def run(argv: Sequence[str | Path], cwd: Path, status: int = 0, **variables: str) -> str:
    """Run a program without the variables that name this checkout, and return what it prints."""
    removed = {"PYTHONPATH", "KERNEL_BUILDER_FLAKE", "PYTHONPYCACHEPREFIX"}
    environment = {name: value for name, value in os.environ.items() if name not in removed}
    done = call(*argv, status=None, cwd=cwd, env={**environment, **variables})
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel from a copy: setuptools writes beside the sources."""
    folder = tmp_path_factory.mktemp("wheel")
    ignored = shutil.ignore_patterns("__pycache__", "build", "*.egg-info", "LICENSE")
    shutil.copytree(ROOT / "python", folder / "python", ignore=ignored)
    shutil.copy(ROOT / "LICENSE", folder / "python")
    # A source distribution has them there.
    for table in ("platforms/systems.json", "config/python-names.json", "outputs/options.json"):
        shutil.copy(ROOT / "lib" / table, folder / "python")
    words: list[str | Path] = ["wheel", "--quiet", "--no-deps", "-w", folder, folder / "python"]
    run([*PIP, *words], folder, KERNEL_BUILDER_FLAKE=REFERENCE)
    (found,) = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def folder(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with `bin/kernel-builder`, whose packages are those that the wheel names."""
    made = tmp_path_factory.mktemp("environment")
    # The Python of the tests has packages of its own, which `venv` does not bring along.
    venv.create(made, with_pip=False, symlinks=True)
    run([*PIP, "--python", made / "bin" / "python", "install", "--quiet", wheel], made)
    return made


@pytest.fixture
def program(folder: Path) -> Path:
    return folder / "bin" / "kernel-builder"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_starts(program: Path, tmp_path: Path, name: str) -> None:
    assert run([program, name, "--help"], tmp_path).startswith("Usage: kernel-builder")


def test_a_kernel_from_nothing(program: Path, tmp_path: Path) -> None:
    run([program, "init", "--name", "me/hello", "--backends", "cpu"], tmp_path)
    kernel = tmp_path / "hello"
    assert REFERENCE in (kernel / "flake.nix").read_text()
    assert VARIANT in run([program, "list-variants", "--arch"], kernel)
    assert "build.toml is right" in run([program, "check-config"], kernel)
    assert "has nothing to update" in run([program, "update-build", "--check"], kernel)
    run([program, "create-pyproject", "--variant", VARIANT], kernel)
    assert "files removed" in run([program, "clean-pyproject"], kernel)
    assert '"$schema"' in run([program, "schema"], kernel)
    assert "complete" in run([program, "completions", "bash"], kernel)
    assert VARIANT in run([program, "build", "--variant", VARIANT], kernel)
    assert "ABI of" in run([program, "check-builds", "result"], kernel)
    assert "1\n" in run([program, "testshell", "-c", "echo 1", "--variant", VARIANT], kernel)


def test_commands_of_an_extra_say_what_to_install(program: Path, tmp_path: Path) -> None:
    who = ("--identity=x", "--issuer=y")
    for name, words in {"verify": ("org/name",), "sign": (), "verify-signature": who}.items():
        said = run([program, name, *words], tmp_path, status=1)
        assert f"error: `{name}` needs the extra `trust`" in said
        assert "./install.sh --trust, or pip install './python[trust]'" in said


def test_few_packages_come_along(folder: Path) -> None:
    (packages,) = folder.glob("lib/*/site-packages")
    names = [path.name for path in packages.glob("*.dist-info")]
    assert len(names) <= MAX_PACKAGES, names
    pins = (ROOT / "python" / "requirements.txt").read_text()
    assert pins.count("==") <= MAX_PACKAGES


def test_an_upload_is_not_compared_without_the_extra(
    program: Path,
    tmp_path: Path,
    client: Client,  # noqa: F811
) -> None:
    names = ("HF_HOME", "HF_ENDPOINT", "HF_TOKEN", "HF_HUB_DISABLE_XET", "NO_PROXY")
    own = {name: client.environment[name] for name in names}

    def upload(salt: str) -> str:
        bundle = make_bundle(tmp_path / salt, VARIANT, salt=salt)
        return run([program, "upload", bundle, "--repo-id", REPO], tmp_path, 0, **own)

    assert "compared" not in upload("first")
    assert "v1 is not compared with this build: " in upload("second")


def test_a_folder_without_a_flake(program: Path, tmp_path: Path) -> None:
    kernel = tmp_path / "kernel"
    shutil.copytree(ROOT / "examples" / "relu", kernel, ignore=shutil.ignore_patterns("flake.*"))
    assert VARIANT in run([program, "list-variants", "--arch", str(kernel)], tmp_path)
    words = ["--builder", str(ROOT), "list-variants", "--arch", str(kernel)]
    assert VARIANT in run([program, *words], tmp_path)
