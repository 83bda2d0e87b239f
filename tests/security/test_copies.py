"""A copy to build/ that meets a fault leaves nothing that another command takes for whole."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle
from tests.cli.command_line import PACKAGE
from tests.hub.built import make_bundle

CPU = "torch213-cxx11-cpu-x86_64-linux"
COPY = """\
import sys
from pathlib import Path
from kernel_builder.variants import copy, sandbox
copy.find_states = lambda _: {sys.argv[3]: sandbox.Sandbox("on")}
copy.copy_bundle(Path(sys.argv[1]), Path(sys.argv[2]), prune=True)
"""


def make(folder: Path, salt: str) -> Path:
    """Write a bundle as Nix makes it: without what is known of the sandbox."""
    shutil.rmtree(make_bundle(folder, CPU, salt=salt) / "sandbox")
    return folder


def read(folder: Path) -> dict[str, bytes]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


@pytest.mark.fault("build-and-copy --prune", "two at once", "both end well, build/ is whole")
def test_two_copies_at_once(tmp_path: Path) -> None:
    build = tmp_path / "build"
    bundles = [make(tmp_path / salt, salt) for salt in ("one", "two")]
    for _ in range(4):
        running = [
            subprocess.Popen(
                [sys.executable, "-c", COPY, str(bundle), str(build), CPU],
                env={"PYTHONPATH": str(PACKAGE)},
                stderr=subprocess.PIPE,
                text=True,
            )
            for bundle in bundles * 2
        ]
        ended = [(process.communicate()[1], process.returncode) for process in running]
        assert ended == [("", 0)] * 4
        found = {name: text for name, text in read(build).items() if "sandbox" not in name}
        assert found in [read(bundle) for bundle in bundles]


@pytest.mark.fault(
    "build-and-copy", "the kernel's folder cannot be written to", "refused, with a way out"
)
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    bundle = make(tmp_path / "bundle", "")
    # Not even root makes a folder there.
    with pytest.raises(KernelBuilderError, match=rf"what was built is in {bundle}"):
        copy_bundle(bundle, Path("/sys/build"), prune=False)


@pytest.mark.fault(
    "build-and-copy", "a file of a build in the store is cut, changed or gone", "not copied"
)
@pytest.mark.parametrize("damage", ["cut", "gone", "new"])
def test_a_damaged_build_is_not_copied(tmp_path: Path, damage: str) -> None:
    build = tmp_path / "build"
    copy_bundle(make(tmp_path / "old", "old"), build)
    before, new = read(build), make(tmp_path / "new", "new")
    (library,) = (new / CPU).glob("*.so")
    if damage == "cut":
        library.write_bytes(library.read_bytes()[:100])
    elif damage == "gone":
        library.unlink()
    else:
        (new / CPU / "more.py").touch()
    with pytest.raises(KernelBuilderError) as raised:
        copy_bundle(new, build, prune=True)
    (problem,) = raised.value.problems
    assert problem.found == ("more.py" if damage == "new" else library.name)
    assert problem.fix == f"nix-store --repair-path {new}"
    assert read(build) == before
