"""Folders of strangers are read without following anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kernel_builder.machine import files
from kernel_builder.machine.files import list_files, open_file, read_file
from kernel_builder.messages.errors import KernelBuilderError


@pytest.mark.parametrize(
    "kind", ["link to a file", "link to a folder", "dangling", "pipe", "socket"]
)
def test_anything_else_is_an_error(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "folder"
    (folder / "below").mkdir(parents=True)
    (tmp_path / "secret").write_text("secret")
    odd = folder / "below" / "odd"
    if kind == "pipe":
        os.mkfifo(odd)
    elif kind == "socket":
        # A socket that is bound could not have so long a path.
        os.mknod(odd, stat.S_IFSOCK | 0o600)
    else:
        target = {"link to a file": "secret", "link to a folder": "folder", "dangling": "none"}
        odd.symlink_to(tmp_path / target[kind])
    with pytest.raises(KernelBuilderError, match=r"want +a regular file or a folder"):
        list_files(folder)
    with pytest.raises(KernelBuilderError, match="odd is not read"):
        open_file(odd)


def test_count_and_size_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).write_text("1234")
    monkeypatch.setattr(files, "MAX_FILES", 2)
    monkeypatch.setattr(files, "MAX_BYTES", 8)
    assert len(list_files(tmp_path)) == 2
    monkeypatch.setattr(files, "MAX_BYTES", 7)
    with pytest.raises(KernelBuilderError, match="8 bytes"):
        list_files(tmp_path)
    monkeypatch.setattr(files, "MAX_FILES", 1)
    with pytest.raises(KernelBuilderError, match="more than 1 files"):
        list_files(tmp_path)
    assert read_file(tmp_path / "a", max_bytes=4) == b"1234"
    with pytest.raises(KernelBuilderError, match=r"found +4 bytes"):
        read_file(tmp_path / "a", max_bytes=3)


def test_a_device_is_not_opened() -> None:
    with pytest.raises(KernelBuilderError, match=r"found +a device"):
        read_file(Path("/dev/zero"))
