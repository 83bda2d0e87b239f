"""Copies of a bundle: only what changed, writable, and nothing of other people's."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.copy import copy_bundle

FILES = {
    "v1/metadata.json": "{}",
    "v1/__init__.py": "one",
    "v1/_ext.abi3.so": "binary",
    "CARD.md": "card",
}


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    folder = tmp_path / "bundle"
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o555 if path.suffix == ".so" else 0o444)
    return folder


def test_all_of_it_and_then_nothing(bundle: Path, tmp_path: Path) -> None:
    target = tmp_path / "build"
    first = copy_bundle(bundle, target, prune=False)
    assert sorted(first.written) == sorted(FILES)
    assert {name: (target / name).read_text() for name in FILES} == FILES
    assert all(os.access(target / name, os.W_OK) for name in FILES)
    assert (target / "v1/_ext.abi3.so").stat().st_mode & 0o111
    second = copy_bundle(bundle, target, prune=False)
    assert (second.written, second.unchanged) == ([], len(FILES))


def test_what_changed_and_what_is_too_much(bundle: Path, tmp_path: Path) -> None:
    target = tmp_path / "build"
    copy_bundle(bundle, target, prune=False)
    (target / "v1/__init__.py").write_text("other")
    (target / "v1/old").mkdir()
    (target / "v1/old/file.py").write_text("")
    again = copy_bundle(bundle, target, prune=False)
    assert again.written == ["v1/__init__.py"]
    assert again.removed == ["v1/old/file.py"]


def test_other_variants_go_only_when_asked(bundle: Path, tmp_path: Path) -> None:
    target = tmp_path / "build"
    for name in ("v0/metadata.json", "notes/mine.txt"):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_text("")
    assert copy_bundle(bundle, target, prune=False).others == ["v0"]
    assert (target / "v0").is_dir()
    assert copy_bundle(bundle, target, prune=True).removed == ["v0"]
    assert (target / "notes/mine.txt").exists()


def test_a_link_is_replaced_and_not_followed(bundle: Path, tmp_path: Path) -> None:
    target = tmp_path / "build"
    target.mkdir()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (target / "v1").symlink_to(elsewhere)
    copy_bundle(bundle, target, prune=False)
    assert not list(elsewhere.iterdir())
    assert not (target / "v1").is_symlink()


def test_a_full_disk_leaves_the_old_one_whole(
    bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "build"
    copy_bundle(bundle, target, prune=False)
    old = {name: (target / name).read_text() for name in FILES}
    for name in ("v1/__init__.py", "v1/metadata.json"):
        (bundle / name).chmod(0o644)
        (bundle / name).write_text("newer")
    real = shutil.copyfile

    def fail(source: Path, place: Path) -> None:
        if source.name == "metadata.json":
            raise OSError(errno.ENOSPC, "No space left on device", str(place))
        real(source, place)

    monkeypatch.setattr(shutil, "copyfile", fail)
    with pytest.raises(KernelBuilderError, match="No space left on device"):
        copy_bundle(bundle, target, prune=False)
    assert {name: (target / name).read_text() for name in FILES} == old
    assert sorted(path.name for path in target.iterdir()) == ["CARD.md", "v1"]


def test_a_file_in_the_place_of_the_folder(bundle: Path, tmp_path: Path) -> None:
    (tmp_path / "build").write_text("")
    with pytest.raises(KernelBuilderError, match="File exists"):
        copy_bundle(bundle, tmp_path / "build", prune=False)
