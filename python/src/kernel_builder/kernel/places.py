"""Finds where a key stands in build.toml, for messages that name it as `kernel.relu.src[0]`.

The text has to be TOML that a parser accepted: this reads tokens and checks nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

import tomli

from kernel_builder.messages.errors import Problem

Place = tuple[int, int]

_TOKEN: Final = re.compile(
    r'(?P<skipped>[ \t\r]+|#[^\n]*)|(?P<string>"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}'
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\')|(?P<mark>[\n\[\]{}=,.])|(?P<word>[^\s\[\]{}=,."\'#]+)',
    re.DOTALL,
)
_FILE: Final = re.compile(r"^(.+?)(?::(\d+))?(?::(\d+))?$", re.DOTALL)
_LAST_PART: Final = re.compile(r'(?:\[\d+\]|(?:^|\.)(?:"(?:[^"\\]|\\.)*"|[^."\[\]]+))$')
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def find_places(text: str) -> dict[str, Place]:
    """Return line and column, both from 1, of each key, table and element of a list.

    A path is written as the library writes it: `kernel."my part".src[0]`. A key stands where its
    name begins, an element where its value begins. Nothing is found in a text that is no TOML.
    """
    try:
        return _Reader(text).places
    except (ValueError, LookupError, RecursionError):
        return {}


def locate(
    problem: Problem, folder: Path, places: Mapping[str, Place], *, is_of_file: bool = False
) -> Problem:
    """Return a problem with the real path of the file that `at` names, and line and column.

    `at` is a path of build.toml, or a file below `folder`; `is_of_file` says that it is one of
    build.toml, even if the key does not stand there.
    """
    if "/" in problem.at and '"' not in problem.at:
        name, line, column = (_FILE.findall(problem.at) or [(problem.at, "", "")])[0]
        at, file = str(folder / problem.at), str(folder / name)
        return replace(problem, at=at, file=file, line=int(line or 0), column=int(column or 0))
    file = str(folder / "build.toml")
    key = problem.at
    while key:
        if key in places:
            line, column = places[key]
            at = f"{file}:{line}:{column}: {problem.at}"
            return replace(problem, at=at, file=file, line=line, column=column)
        # A missing key is a problem of the table around it.
        key = _LAST_PART.sub("", key)
    if not is_of_file:
        return problem
    return replace(
        problem, at=file if problem.at == "build.toml" else f"{file}: {problem.at}", file=file
    )


@dataclass
class _Reader:
    text: str
    places: dict[str, Place] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.tokens = [each for each in _TOKEN.finditer(self.text) if each.lastgroup != "skipped"]
        self.next = 0
        table = ""
        counts: dict[str, int] = {}
        while self.next < len(self.tokens):
            if self._accept("\n"):
                continue
            start = self.tokens[self.next].start()
            if not self._accept("["):
                self._read_pair(table)
                continue
            is_list = self._accept("[")
            table = self._read_key("")
            if is_list:
                counts[table] = counts.get(table, -1) + 1
                table = f"{table}[{counts[table]}]"
            self._note(table, start)
            while self._accept("]"):
                pass

    def _peek(self) -> str:
        return self.tokens[self.next].group() if self.next < len(self.tokens) else ""

    def _accept(self, mark: str) -> bool:
        found = self._peek() == mark
        self.next += found
        return found

    def _note(self, path: str, start: int) -> None:
        line = self.text.count("\n", 0, start) + 1
        column = start - (self.text.rfind("\n", 0, start) + 1) + 1
        self.places.setdefault(path, (line, column))

    def _read_key(self, path: str) -> str:
        """Read a key, which may have dots, and return the path that it leads to."""
        while self.next < len(self.tokens):
            token = self.tokens[self.next]
            self.next += 1
            name = token.group()
            if token.lastgroup == "string":
                (name,) = tomli.loads(f"{name} = 0")
            if not _BARE.fullmatch(name):
                name = json.dumps(name, ensure_ascii=False)
            path = f"{path}.{name}" if path else name
            self._note(path, token.start())
            if not self._accept("."):
                break
        return path

    def _read_pair(self, table: str) -> None:
        path = self._read_key(table)
        self._accept("=")
        self._read_value(path)

    def _read_value(self, path: str) -> None:
        if self._accept("["):
            number = 0
            while self._peek() and not self._accept("]"):
                if self._accept("\n") or self._accept(","):
                    continue
                self._note(f"{path}[{number}]", self.tokens[self.next].start())
                self._read_value(f"{path}[{number}]")
                number += 1
        elif self._accept("{"):
            while self._peek() and not self._accept("}"):
                if not self._accept("\n") and not self._accept(","):
                    self._read_pair(path)
        else:
            self.next += 1
            # A number or a time may have dots in it.
            while self._peek() not in ("", "\n", ",", "]", "}"):
                self.next += 1
