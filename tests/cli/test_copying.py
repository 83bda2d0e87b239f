"""Copies of a bundle to `build/`: writable, whole, and next to earlier files."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle
from tests.cli.command_line import PACKAGE
from tests.hub.built import make_bundle

FILES = {
    "v1/metadata.json": "{}",
    "v1/__init__.py": "one",
    "v1/_ext.abi3.so": "binary",
    "provenance/v1.cdx.json": "list",
    "CARD.md": "card",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_text(text)
        path.chmod(0o555 if path.suffix == ".so" else 0o444)


def read(folder: Path) -> dict[str, str]:
    """Return all files, also those whose names begin with a dot."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {
        path.relative_to(folder).as_posix(): path.read_bytes().decode("latin1") for path in files
    }


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    write(tmp_path / "bundle", FILES)
    return tmp_path / "bundle"


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "build"


def test_all_of_it_and_then_nothing(bundle: Path, target: Path) -> None:
    first = copy_bundle(bundle, target, prune=False)
    assert first.copied == ["CARD.md", "v1"]
    assert read(target) == FILES
    assert all(os.access(target / name, os.W_OK) for name in FILES)
    assert (target / "v1/_ext.abi3.so").stat().st_mode & 0o111
    second = copy_bundle(bundle, target, prune=False)
    assert (second.copied, second.unchanged) == ([], ["CARD.md", "v1"])


def test_other_variants_go_only_when_asked(bundle: Path, target: Path) -> None:
    others = {"v0/metadata.json": "", "provenance/v0.cdx.json": "", "sandbox/v0": ""}
    # Also beside what a copy writes for each variant.
    mine = dict.fromkeys(
        ("notes/mine.txt", "provenance/notes.txt", "sandbox/v", "findings/x.json"), ""
    )
    write(target, {**others, **mine})
    assert copy_bundle(bundle, target, prune=False).others == ["v0"]
    assert read(target) == {**FILES, **others, **mine}
    assert copy_bundle(bundle, target, prune=True).removed == ["v0"]
    assert read(target) == {**FILES, **mine}


def test_what_comes_in_the_way_is_told_before_anything_goes(bundle: Path, target: Path) -> None:
    write(target, {"v1/metadata.json": "old", "sandbox/v1/mine": ""})
    with pytest.raises(KernelBuilderError, match="a folder"):
        copy_bundle(bundle, target)
    assert read(target) == {"v1/metadata.json": "old", "sandbox/v1/mine": ""}


def test_signatures_stay_with_what_they_sign(bundle: Path, target: Path) -> None:
    signatures = {"v1/metadata.json.sigstore": "s", "provenance/v1.slsa.sigstore": "s"}
    copy_bundle(bundle, target)
    write(target, signatures)
    assert copy_bundle(bundle, target).unchanged == ["CARD.md", "v1"]
    assert read(target) == {**FILES, **signatures}
    write(bundle, {"v1/__init__.py": "other"})
    copy_bundle(bundle, target)
    assert read(target) == {**FILES, "v1/__init__.py": "other"}


@pytest.mark.parametrize(("old", "new"), [("CARD.md", "CARD.md/file"), ("v1", "v1/a.py")])
def test_a_file_where_a_folder_comes_and_the_other_way_round(
    tmp_path: Path, target: Path, old: str, new: str
) -> None:
    for number, names in enumerate(((old, new), (new, old))):
        first, second = tmp_path / f"{number}a", tmp_path / f"{number}b"
        write(first, {names[0]: "first"})
        write(second, {names[1]: "second"})
        place = target.with_name(f"build{number}")
        copy_bundle(first, place, prune=False)
        copy_bundle(second, place, prune=False)
        assert read(place) == {names[1]: "second"}


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
