"""Folders of strangers are read without following anything."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from kernel_builder.machine import files
from kernel_builder.machine.files import list_files, open_file, read_file, require_folder
from kernel_builder.messages.errors import KernelBuilderError


def test_files_are_listed_by_relative_path_in_order(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "c").write_text("c")
    (tmp_path / "a").write_text("a")
    assert list_files(tmp_path) == {"a": tmp_path / "a", "b/c": tmp_path / "b" / "c"}


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


def test_the_folder_itself_may_not_be_a_link(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        list_files(tmp_path / "link")
    with pytest.raises(KernelBuilderError, match=r"found +a symbolic link"):
        require_folder(tmp_path / "link")


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


def test_escapes_in_a_name_do_not_reach_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "a\x1b]52;c;x\x07").symlink_to("/etc/passwd")
    with pytest.raises(KernelBuilderError) as error:
        list_files(tmp_path)
    assert "\x1b" not in str(error.value)
