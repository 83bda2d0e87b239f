"""`update-build` on a disk that is full: the file that was there stays, and nothing beside it."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from kernel_builder.commands import update_build
from kernel_builder.commands.group import cli
from kernel_builder.messages.errors import KernelBuilderError

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
    replace = update_build._replace_file

    def write(target: Path, text: str) -> None:
        with room_for(ROOM):
            replace(target, text)

    monkeypatch.setattr(update_build, "_replace_file", write)
    with pytest.raises(KernelBuilderError) as raised:
        cli.main(["update-build", str(file.parent)], standalone_mode=False)
    assert raised.value.headline == f"{file} stays as it is"
    assert raised.value.problems[0].at == str(file.parent)
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
