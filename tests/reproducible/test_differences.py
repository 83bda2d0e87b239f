"""The report on two trees names each thing that a hash of them would see, and stays short."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from kernel_builder.variants.differences import LINES as LINES_OF_A_FILE
from kernel_builder.variants.differences import explain
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


def test_text_has_lines(trees: tuple[Path, Path]) -> None:
    (trees[1] / "a/text").write_text("one\n2\n")
    assert describe(*trees).splitlines() == [
        "tree/a/text: 8 bytes, then 6",
        "  line 2: 'two', then '2'",
    ]


def test_text_has_an_end() -> None:
    assert explain(b"one", b"one\n") == ["line 2: nothing, then ''"]
    assert explain(b"one\n", b"one\r\n") == ["line 1: 'one', then 'one\\r'"]


def test_json_has_keys() -> None:
    one = {"a": {"b": [1, 2], "c": None}, "d": 1}
    two = {"a": {"b": [1, 3, 4]}, "d": 1, "e": {}}
    assert explain(json.dumps(one).encode(), json.dumps(two).encode()) == [
        "a.b.1: 2, then 3",
        "a.b.2: nothing, then 4",
        "e: nothing, then {}",
    ]
    # What says the same in other words.
    assert explain(b'{"a": 1}', b'{"a":  1}') == ["""line 1: '{"a": 1}', then '{"a":  1}'"""]
    deep = b"[" * 100_000
    assert explain(deep + b"1", deep + b"2")[0].startswith("line 1: ")


def test_no_proper_elf() -> None:
    assert explain(b"\x7fELF one", b"\x7fELF two") == [
        "no proper ELF file: from byte 5 on, b'\\x7fELF one', then b'\\x7fELF two'"
    ]


def test_an_elf_file_where_nothing_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "elftools.elf.elffile", None)
    said = explain(b"\x7fELF one", b"\x7fELF two")
    assert said[0].endswith(" (elftools.elf.elffile would say in which section)")


def test_bytes_have_a_place(trees: tuple[Path, Path]) -> None:
    for folder, last in zip(trees, (b"x", b"y")):
        (folder / "data").write_bytes(b"\xff" * 20 + last)
    assert "from byte 20 on" in describe(*trees)


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
    assert len([line for line in lines if line.startswith("  ")]) <= LINES
    at = lines.index("tree/long: 1000 bytes, then 1000")
    assert lines[at + LINES_OF_A_FILE + 1].endswith("more lines")
