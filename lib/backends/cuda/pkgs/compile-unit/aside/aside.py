"""Headers that nvcc's front end need not read: set aside before it, put back after it.

cudafe++ turns a preprocessed unit into the C++ that the host's compiler reads. A header without
a word of CUDA comes out of it as it went in, but parsing all of Torch's takes most of its time
and memory. So what lean headers do without is cut out, with a declaration in its place that
comes out again, and the text is put back there: the host's compiler reads all headers, in the
same order as ever.
"""

import itertools
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

# `# 12 "file.h" 1 3 4`: what follows is line 12 of that file; 3 marks a header of the system.
_PLACE = re.compile(r'# (\d+)(?: "((?:[^"\\]|\\.)*)"([ \d]*))?$')
# What `__device__` and its like are after the preprocessor.
_CUDA = re.compile(r"__attribute__\(\((?:device|global|shared|constant|managed|grid_constant)\)\)")
_MARK = re.compile(r"\btypedef int kernel_builder_aside_(\d+);")


def files(text: str) -> "set[str]":
    """Return the names of the files that a preprocessed text is made of."""
    places = map(_PLACE.match, text.split("\n"))
    return {place[2] for place in places if place and place[2]}


def set_aside(text: str, needed: "Iterable[str]") -> "tuple[str, list[str]]":
    """Return a preprocessed text without the files that are not needed, and the pieces that were cut out.

    What has something of CUDA in it stays.
    """
    lines = text.split("\n")
    kept = _with_twins(set(needed), files(text)) | _files_with_cuda(lines)
    left: list[str] = []
    pieces: list[str] = []
    for is_kept, group in itertools.groupby(_with_places(lines), lambda line: line.file in kept):
        if is_kept:
            left += [line.text for line in group]
            continue
        # Without the marks for entering and leaving a file: those around it are gone.
        piece = [line.place or line.text for line in group]
        if any(text.strip() and not _PLACE.match(text) for text in piece):
            left.append(f"typedef int kernel_builder_aside_{len(pieces)};")
            pieces.append("\n".join(piece))
    return "\n".join(left), pieces


def put_back(text: str, pieces: "list[str]") -> "str | None":
    """Return what the front end wrote, with the pieces in their places; None if it lost one."""
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
    """A line of a preprocessed text, and where it comes from; `place` if it is the mark of that."""

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
    """Add the files with the same content: where they say `#pragma once`, gcc reads one of them only."""
    contents = {Path(name).read_bytes() for name in needed - present if Path(name).is_file()}
    others = present - needed
    return needed | {name for name in others if Path(name).is_file() and Path(name).read_bytes() in contents}
