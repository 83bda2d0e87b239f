"""Cut headers that nvcc's front end does not need out of a unit, and put them back afterwards.

cudafe++ translates a preprocessed unit to C++ for the host compiler. It copies headers without
CUDA unchanged, but parsing all of Torch takes most of its time and memory. Therefore files that
lean headers do without are replaced by a declaration that the front end keeps, and the text is
put back in its place. The host compiler reads all headers in their usual order.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# `# 12 "file.h" 1 3 4`: the next line is line 12 of that file; 3 marks a system header.
_PLACE = re.compile(r'# (\d+)(?: "((?:[^"\\]|\\.)*)"([ \d]*))?$')
# Attributes that the preprocessor makes of `__device__` and similar words.
_CUDA = re.compile(r"__attribute__\(\((?:device|global|shared|constant|managed|grid_constant)\)\)")
_MARK = re.compile(r"\btypedef int kernel_builder_aside_(\d+);")


def files(text: str) -> "set[str]":
    """Return the names of the files in a preprocessed text."""
    places = map(_PLACE.match, text.split("\n"))
    return {place[2] for place in places if place and place[2]}


def set_aside(text: str, needed: "Iterable[str]") -> "tuple[str, list[str]]":
    """Return a preprocessed text without the files that are not needed, and the removed pieces.

    Files that contain CUDA attributes stay.
    """
    lines = text.split("\n")
    kept = _with_twins(set(needed), files(text)) | _files_with_cuda(lines)
    left: list[str] = []
    pieces: list[str] = []
    for is_kept, group in itertools.groupby(_with_places(lines), lambda line: line.file in kept):
        if is_kept:
            left += [line.text for line in group]
            continue
        # Markers for entering and leaving a file are dropped, because their counterparts are gone.
        piece = [line.place or line.text for line in group]
        if any(text.strip() and not _PLACE.match(text) for text in piece):
            left.append(f"typedef int kernel_builder_aside_{len(pieces)};")
            pieces.append("\n".join(piece))
    return "\n".join(left), pieces


def put_back(text: str, pieces: "list[str]") -> "str | None":
    """Return the front end's output with the pieces in their places, or None if one is lost."""
    found: list[int] = []
    lines: list[str] = []
    for line in _with_places(text.split("\n")):
        mark = _MARK.search(line.text)
        if mark:
            found.append(int(mark[1]))
            before, after = line.text[: mark.start()], line.text[mark.end() :]
            piece = pieces[found[-1]] if found[-1] < len(pieces) else ""
            lines += [before, piece, _place(line.number, line.file, line.flags), after]
        else:
            lines.append(line.text)
    return "\n".join(lines) if found == list(range(len(pieces))) else None


@dataclass(frozen=True)
class _Line:
    """A line of a preprocessed text and its origin. `place` is set for line markers."""

    text: str
    number: int
    file: str
    flags: str
    place: str


def _with_places(lines: "list[str]") -> "Iterator[_Line]":
    number, file, flags = 1, "", ""
    for text in lines:
        match = _PLACE.match(text)
        if match:
            number = int(match[1])
            if match[2] is not None:
                file, flags = match[2], match[3]
            yield _Line(text, number, file, flags, _place(number, file, flags))
        else:
            yield _Line(text, number, file, flags, "")
            number += 1


def _place(number: int, file: str, flags: str) -> str:
    return f'# {number} "{file}"{" 3" if "3" in flags.split() else ""}'


def _files_with_cuda(lines: "list[str]") -> "set[str]":
    return {line.file for line in _with_places(lines) if _CUDA.search(line.text)}


def _with_twins(needed: "set[str]", present: "set[str]") -> "set[str]":
    """Add files with equal content, because gcc reads only one of them if they have `#pragma once`."""
    contents = {Path(name).read_bytes() for name in needed - present if Path(name).is_file()}
    others = present - needed
    return needed | {name for name in others if Path(name).is_file() and Path(name).read_bytes() in contents}
