"""The report on two trees names each thing that a hash of them would see, and stays short."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.reproducible.differences import LINES, describe

SAME = {"a/text": "one\ntwo\n", "a/tool": "#!\n"}


def tree(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder / "tree"


@pytest.fixture
def trees(tmp_path: Path) -> tuple[Path, Path]:
    return tree(tmp_path / "1", dict(SAME)), tree(tmp_path / "2", dict(SAME))


def test_equal_trees(trees: tuple[Path, Path]) -> None:
    assert describe(*trees) == ""


def test_bytes_have_a_place(trees: tuple[Path, Path]) -> None:
    (trees[1] / "a/text").write_text("one\n2\n")
    (trees[1] / "a/tool").write_text("#!\nmore")
    assert describe(*trees).splitlines() == [
        "tree/a/text: 8 and 6 bytes differ from 4 on; diffoscope says in what",
        "tree/a/tool: 3 and 7 bytes differ from the end on; diffoscope says in what",
    ]


def test_files_that_are_only_in_one(trees: tuple[Path, Path]) -> None:
    (trees[0] / "a/text").unlink()
    (trees[1] / "new").touch()
    assert describe(*trees).splitlines() == [
        "tree/new: only the second time",
        "tree/a/text: only the second time",
    ]


def test_kinds_and_the_right_to_run(trees: tuple[Path, Path]) -> None:
    (trees[1] / "a/tool").chmod(0o755)
    (trees[1] / "a/text").unlink()
    (trees[1] / "a/text").symlink_to("tool")
    assert describe(*trees).splitlines() == [
        "tree/a/text: a file, then a link to tool",
        "tree/a/tool: a file, then a file to run",
    ]


def test_it_stays_short(trees: tuple[Path, Path]) -> None:
    for number, folder in enumerate(trees):
        (folder / "long").write_text(f"{number}\n" * 500)
        for name in range(100):
            (folder / f"many{name}").write_text(str(number))
    lines = describe(*trees).splitlines()
    assert len(lines) == LINES + 1
    assert lines[-1] == f"and {101 - LINES} more"
