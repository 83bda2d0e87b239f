"""`update-build` on a disk that is full: the file that was there stays, and nothing beside it."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kernel_builder.commands import update_build
from kernel_builder.commands.group import cli
from kernel_builder.machine.files import write_below

OLD = (Path(__file__).parent / "editions" / "three.toml").read_text()
ROOM = 20


@contextmanager
def room_for(size: int) -> Iterator[None]:
    """Let writes fail that make a file larger than this."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    written = tmp_path / "kernel" / "build.toml"
    written.parent.mkdir()
    written.write_text(OLD)
    return written


def test_the_old_file_stays(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write = write_below

    def write_a_part(folder: Path, name: str, data: bytes) -> None:
        with room_for(ROOM):
            write(folder, name, data)

    monkeypatch.setattr(update_build, "write_below", write_a_part)
    with pytest.raises(OSError, match="File too large"):
        cli.main(["update-build", str(file.parent)], standalone_mode=False)
    assert file.read_text() == OLD
    assert list(file.parent.iterdir()) == [file]


def test_whoever_reads_meanwhile_sees_one_of_both(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The moment before the new file takes the old one's place is the only one that counts."""
    seen = []
    rename = Path.replace

    def look_first(source: Path, target: Path) -> Path:
        seen.append((file.read_text(), source.parent))
        return rename(source, target)

    monkeypatch.setattr(Path, "replace", look_first)
    cli.main(["update-build", str(file.parent)], standalone_mode=False)
    # In the same folder: from another disk it would be a copy.
    assert seen == [(OLD, file.parent)]
    assert "edition = 5" in file.read_text()
