"""Nothing is written through a link that lies in a kernel's folder."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kernel_builder.authoring.generate import RECORD, remove_project, write_project
from kernel_builder.authoring.init import write_kernel
from kernel_builder.machine.files import replace_text, write_below
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle
from tests.cli import conftest as shared
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.evaluation import ROOT
from tests.hub.built import make_bundle

CPU = "torch213-cxx11-cpu-x86_64-linux"
LOCKER = ROOT / "pkgs/author/lock-kernels/lock.py"
RUNNER = ROOT / "python/src/kernel_builder/publishing/benchmark_runner.py"
# Runs a program for which options alone count, without the client that it measures with.
STAND_INS = """
import runpy, sys, types
for name in ("kernels", "kernels.cli", "kernels.cli.benchmark", "tabulate"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["kernels.cli"].benchmark = sys.modules["kernels.cli.benchmark"]
sys.modules["tabulate"].tabulate = print
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
"""
MINE = "mine"
cli, kernel, salt = shared.cli, shared.kernel, shared.salt


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of the user's, outside of the kernel."""
    folder = tmp_path / "home"
    (folder / "oldproj").mkdir(parents=True)
    for name in (".bashrc", "thesis.tex", "oldproj/metadata.json"):
        (folder / name).write_text(MINE)
    return folder


@pytest.fixture
def untouched(home: Path) -> Any:
    """Fail if anything in the user's folder has changed."""

    def read() -> dict[str, str]:
        return {str(path): path.read_text() for path in home.rglob("*") if path.is_file()}

    before = read()
    yield
    assert read() == before


pytestmark = pytest.mark.usefixtures("untouched")


@pytest.mark.attack("build-and-copy", "build/ is a link to ~", "refused")
@pytest.mark.attack("build-and-copy --prune", "build/ is a link to ~", "refused")
@pytest.mark.attack("build-and-copy", "build/VARIANT is a link", "refused")
@pytest.mark.parametrize("prune", [False, True])
@pytest.mark.parametrize("link", [".", CPU, "provenance", "sandbox", "benchmarks", "CARD.md"])
def test_a_copy_goes_through_no_link(tmp_path: Path, home: Path, link: str, prune: bool) -> None:
    bundle, build = make_bundle(tmp_path / "bundle", CPU), tmp_path / "kernel/build"
    place = build / link
    place.parent.mkdir(parents=True)
    place.symlink_to(home / ".bashrc" if link == "CARD.md" else home)
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        copy_bundle(bundle, build, prune=prune)
    assert place.is_symlink()


def record(folder: Path, name: str) -> None:
    """Write a record that has the hash of the user's file."""
    (folder / RECORD).parent.mkdir(exist_ok=True)
    digest = hashlib.sha256(MINE.encode()).hexdigest()
    (folder / RECORD).write_text(json.dumps({name: digest}))


@pytest.mark.attack("create-pyproject", "setup.py is a dangling link out of the kernel", "refused")
@pytest.mark.attack("create-pyproject", "setup.py is a link whose hash is recorded", "refused")
@pytest.mark.attack("create-pyproject", "a folder on the way is a link", "refused")
@pytest.mark.attack("create-pyproject", ".kernel-builder/ is a link to ~", "refused")
@pytest.mark.parametrize("force", [False, True])
@pytest.mark.parametrize("case", ["dangling", "recorded", "folder", "record"])
def test_a_project_goes_through_no_link(tmp_path: Path, home: Path, case: str, force: bool) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    links = {
        "dangling": ("setup.py", home / "usercustomize.py"),
        "recorded": ("setup.py", home / ".bashrc"),
        "folder": ("cmake", home),
        "record": (".kernel-builder", home),
    }
    name, leads_to = links[case]
    (folder / name).symlink_to(leads_to)
    if case == "recorded":
        record(folder, "setup.py")
    files = {"setup.py": b"PWNED", "cmake/.bashrc": b"PWNED"}
    with pytest.raises(KernelBuilderError, match=r"symbolic link|or a link"):
        write_project(files, folder, overwrite=force)


@pytest.mark.attack("clean-pyproject", "a record of ../ or of a link", "refused")
@pytest.mark.parametrize("name", ["../home/.bashrc", "/home/.bashrc", "linked/.bashrc", "cmake"])
def test_a_record_removes_nothing_elsewhere(tmp_path: Path, home: Path, name: str) -> None:
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "linked").symlink_to(home)
    (folder / "cmake").symlink_to(home / ".bashrc")
    record(folder, name)
    with pytest.raises(KernelBuilderError):
        remove_project(folder)


@pytest.mark.attack("build", "`result` is a folder, a file, a link elsewhere", "refused at once")
@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_a_result_replaces_nothing(cli: Cli, kernel: FakeKernel, home: Path, kind: str) -> None:
    kernel.add("a-cpu", script='"exit 1"')
    result = kernel.write() / "result"
    if kind == "link":
        result.symlink_to(home)
    elif kind == "file":
        result.write_text(MINE)
    else:
        result.mkdir()
    done = cli.expect(1, "build", str(kernel.folder))
    assert "error: the result cannot be linked (1 problem)" in done.stderr
    assert f"at     {result}\n" in done.stderr
    assert "want   nothing, or the link of an earlier build" in done.stderr
    assert "a-cpu" not in done.stderr, "nothing is built before"


@pytest.mark.attack("update-build", "build.toml is a link", "refused")
def test_build_toml_is_no_link(cli: Cli, tmp_path: Path, home: Path) -> None:
    old = ROOT / "tests/cli/editions/one.toml"
    (home / "build.toml").write_text(old.read_text())
    folder = tmp_path / "tiny"
    folder.mkdir()
    (folder / "build.toml").symlink_to(home / "build.toml")
    done = cli("update-build", str(folder))
    # It could have become a link after it was read.
    with pytest.raises(KernelBuilderError, match="is not written to"):
        write_below(folder, "build.toml", b"PWNED")
    assert (home / "build.toml").read_text() == old.read_text()
    (home / "build.toml").unlink()
    assert done.status == 1
    assert f"error: {folder}/build.toml is not read (1 problem)" in done.stderr
    assert "found  a symbolic link" in done.stderr


@pytest.mark.attack("init", "a folder with links", "refused")
def test_a_new_kernel_goes_through_no_link(tmp_path: Path, home: Path) -> None:
    folder = tmp_path / "new"
    folder.mkdir()
    (folder / "torch-ext").symlink_to(home)
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        write_kernel({"torch-ext/.bashrc": "PWNED"}, folder, overwrite=True)


@pytest.mark.attack("nix run .#lock-kernels", ".kernels.lock.new is a link", "removed")
@pytest.mark.attack("nix run .#lock-kernels", "kernels.lock is a link", "replaced")
@pytest.mark.parametrize("kind", ["symbolic", "hard", "dangling"])
@pytest.mark.parametrize("name", [".kernels.lock.new", "kernels.lock"])
def test_a_lock_goes_through_no_link(tmp_path: Path, home: Path, name: str, kind: str) -> None:
    folder, request = tmp_path / "kernel", tmp_path / "request.json"
    folder.mkdir()
    request.write_text('{"dependencies": [], "repository": "[a-z/]+"}')
    # --update reads no lock.
    if kind == "hard":
        (folder / name).hardlink_to(home / ".bashrc")
    else:
        (folder / name).symlink_to(home / (".bashrc" if kind == "symbolic" else "new"))
    argv = [sys.executable, str(LOCKER), str(request), "--update"]
    subprocess.run(argv, cwd=folder, check=True, capture_output=True)
    assert [path.name for path in folder.iterdir()] == ["kernels.lock"]
    assert (folder / "kernels.lock").read_text() == "[]\n"
    assert not (folder / "kernels.lock").is_symlink()
    assert not (home / "new").exists()


@pytest.mark.attack("build --report, fill-card FILE", "a link is under the name", "refused")
@pytest.mark.parametrize("target", [".bashrc", "new", "/dev/full"])
def test_a_named_file_goes_through_no_link(tmp_path: Path, home: Path, target: str) -> None:
    """The kernel, or another user in /tmp, knows the names that people take."""
    (tmp_path / "report.json").symlink_to(home / target)
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        replace_text(tmp_path / "report.json", "PWNED")
    assert not (home / "new").exists()
    # The folder may be behind a link of the user's, and a stream behind one of the system's.
    (tmp_path / "there").symlink_to(tmp_path)
    replace_text(tmp_path / "there/card.md", "text")
    assert (tmp_path / "card.md").read_text() == "text"
    replace_text(Path("/dev/null"), "text")
    assert Path("/dev/null").is_char_device()
    with TemporaryDirectory(dir="/dev/shm") as shared:
        Path(shared, "r").symlink_to(home / "new")
        with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
            replace_text(Path(shared, "r"), "PWNED")


@pytest.mark.attack("benchmark --save", "a link is under the name", "refused")
def test_a_measurement_goes_through_no_link(tmp_path: Path, home: Path) -> None:
    (tmp_path / "before.json").symlink_to(home / ".bashrc")
    argv = [sys.executable, "-c", STAND_INS, str(RUNNER), ".", ".", "--save", "before.json"]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, "before.json: a link" in done.stderr) == (2, True), done.stderr


@pytest.mark.attack("any", "a link, .. or an absolute name that is written to", "refused")
@pytest.mark.parametrize("name", ["../home/new", "/new", "", "linked/new", "file/new"])
def test_a_name_stays_below(tmp_path: Path, home: Path, name: str) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "linked").symlink_to(home)
    (root / "file").write_text("")
    with pytest.raises(KernelBuilderError):
        write_below(root, name, b"PWNED")
    write_below(root, "below/new", b"text")
    write_below(root, "below/new", b"other")
    assert (root / "below/new").read_bytes() == b"other"
    assert sorted(path.name for path in (root / "below").iterdir()) == ["new"]
