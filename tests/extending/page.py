"""The blocks of docs/extending.md: the text that each section adds to each file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.evaluation import ROOT

PAGE = ROOT / "docs" / "extending.md"
_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
_BLOCK = re.compile(
    r"^(?P<margin> *)(?P<fence>`{3,})(?P<kind>\w+) (?P<file>\S+)\n"
    r"(?P<text>.*?)^(?P=margin)(?P=fence)$",
    re.MULTILINE | re.DOTALL,
)
_PATH = re.compile(r"`([\w.-]+/[\w./-]+)`")


@dataclass(frozen=True)
class Block:
    """A fenced block that names a file: its whole text, or a change to it."""

    kind: str
    file: str
    text: str

    def write(self, root: Path) -> None:
        """Write the block into the repository in `root`."""
        path = root / self.file
        if self.kind != "diff":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self.text)
            return
        before, after = self._change(path.read_text())
        _replace(path, before, after)

    def _change(self, old: str) -> tuple[str, str]:
        """Return the lines of the file before the change, and after it."""
        lines = [_complete(line, old) for line in self.text.splitlines()]
        assert {line[:1] for line in lines} == {" ", "+"}, f"{self.file}: neither new nor there"
        before = [line for line in lines if line[0] == " "]
        return _text(before), _text(lines)


def _complete(line: str, text: str) -> str:
    """Return a line of a change; the rest of one that ends in `…` is in the text."""
    if not line.endswith("…"):
        return line
    (whole,) = [each for each in text.splitlines() if each.startswith(line[1:-1])]
    return f" {whole}"


def _text(lines: list[str]) -> str:
    return "".join(f"{line[1:]}\n" for line in lines)


def _replace(path: Path, before: str, after: str) -> None:
    """Replace whole lines that occur once in a file."""
    text = f"\n{path.read_text()}"
    assert text.count(f"\n{before}") == 1, f"{path.name}: not there once:\n{before}"
    path.write_text(text.replace(f"\n{before}", f"\n{after}")[1:])


@dataclass(frozen=True)
class Section:
    """One task of the page."""

    title: str
    text: str

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks of the section in order."""
        for found in _BLOCK.finditer(self.text):
            # The margin is the indentation of the list item.
            margin = len(found["margin"])
            lines = [line[margin:] for line in found["text"].splitlines()]
            yield Block(found["kind"], found["file"], "".join(f"{line}\n" for line in lines))

    def files(self) -> set[str]:
        """Return the files that the section adds or changes, and those that its prose names."""
        return {*self.paths(), *(block.file for block in self.blocks())}

    def paths(self) -> list[str]:
        """Return the files and folders that the prose of the section names."""
        return _PATH.findall(_BLOCK.sub("", self.text))


def sections() -> dict[str, Section]:
    _, *parts = _HEADING.split(PAGE.read_text())
    titles, texts = parts[::2], parts[1::2]
    return {title: Section(title, text) for title, text in zip(titles, texts)}
