"""Edit a TOML file, and keep its comments, order and layout.

What to change comes from `lib/config/editions` as data; here it is only done, on the statements of
the file, each with what stands above it. What is not changed is written as it was.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item, SingleKey, Table

Path = tuple[str, ...]

# Comments at the start of a text that end with a blank line or the text, and comments at its end.
_SPEAK_OF_ABOVE = re.compile(r"(?:[ \t]*#.*\n)+(?=[ \t]*\n)|(?:[ \t]*#.*\n)+\Z")
_SPEAK_OF_BELOW = re.compile(r"(?:[ \t]*#.*\n)*\Z")


@dataclass
class Statement:
    """A key with its value or, without a key, the head of a table; the last one is neither."""

    # Blank lines and comments.
    above: str
    table: Path
    key: Path = ()
    value: Item | None = None
    comment: str = ""
    # Its text in the file; empty if it has to be written again.
    text: str = ""
    is_end: bool = False

    @property
    def path(self) -> Path:
        return (*self.table, *self.key)

    def write(self) -> str:
        """Return it as text."""
        if self.text or self.is_end:
            return self.above + self.text
        name = ".".join(SingleKey(key).as_string() for key in self.key or self.table)
        head = f"{name} = {self.value.as_string()}" if self.value is not None else f"[{name}]"
        return f"{self.above}{head}{self.comment}\n"

    def moved(self, source: Path, target: Path) -> Statement:
        """Return it with the beginning of its path changed."""
        path = (*target, *self.path[len(source) :])
        place = len(path) - len(self.key)
        return replace(self, table=path[:place], key=path[place:], text="")


def rewrite(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """Return the text after all edits, in their order."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    file = _File(text.replace("\r\n", "\n"))
    for edit in edits:
        path, source = tuple(edit["path"]), tuple(edit.get("from", ()))
        if edit["action"] == "set":
            file.set(path, edit["value"])
        elif edit["action"] == "remove":
            file.remove(path)
        elif edit["action"] == "drop":
            file.remove(path, keeps_comments=False)
        else:
            file.copy(source, path, keeps=edit["action"] == "copy")
    return "".join(each.write() for each in file.statements).replace("\n", line_end)


def read(text: str) -> dict[str, Any]:
    """Return the content of a TOML text."""
    return tomlkit.parse(text).unwrap()


class _File:
    """The statements of a file."""

    def __init__(self, text: str) -> None:
        self.statements: list[Statement] = []
        above = read = ""
        table: Path = ()
        for line in text.removesuffix("\n").split("\n"):
            if not read and re.match(r"\s*(#|$)", line):
                above += f"{line}\n"
                continue
            read += f"{line}\n"
            try:
                body = tomlkit.parse(read).body
            except TOMLKitError:
                continue
            path: Path = ()
            item: Any = None
            while keyed := [(key.key, value) for key, value in body if key is not None]:
                name, item = keyed[0]
                path = (*path, name)
                body = item.value.body if isinstance(item, Table) else []
            is_head = read.lstrip().startswith("[")
            table = path if is_head else table
            comment = item.trivia.comment_ws + item.trivia.comment
            key, value = ((), None) if is_head else (path, item)
            self.statements.append(Statement(above, table, key, value, comment, read))
            above = read = ""
        self.statements.append(Statement(above, (), is_end=True))

    def _below(self, path: Path) -> list[int]:
        """Return where a path is, or what is below it."""
        self._spread(path)
        return [
            number
            for number, each in enumerate(self.statements)
            if not each.is_end and each.path[: len(path)] == path
        ]

    def _spread(self, path: Path) -> None:
        """Write a table in one line that a path leads into as a line for each of its keys."""
        for number, each in enumerate(self.statements):
            if isinstance(each.value, InlineTable) and each.path == path[: len(each.path)] != path:
                keys = [
                    Statement("", each.table, (*each.key, key), tomlkit.item(value))
                    for key, value in each.value.unwrap().items()
                ]
                keys[0].above, keys[-1].comment = each.above, each.comment
                self.statements[number : number + 1] = keys
                self._spread(path)
                return

    def _insert(self, place: int, new: Sequence[Statement]) -> None:
        """Put statements behind another and the comments that speak of it."""
        following = self.statements[place + 1]
        found = _SPEAK_OF_ABOVE.match(following.above)
        if found and (following.is_end or found.end() < len(following.above)):
            following.above = following.above[found.end() :]
            new[0].above = found[0] + new[0].above
        self.statements[place + 1 : place + 1] = new

    def set(self, path: Path, value: Any) -> None:
        found = self._below(path)
        item = tomlkit.item(value)
        if value == {}:
            if not found:
                self._add_table(path)
        elif found:
            old = self.statements[found[0]]
            self.statements[found[0]] = replace(old, value=item, text="")
        else:
            self._add(path, Statement("", (), value=item))

    def _add(self, path: Path, statement: Statement) -> None:
        """Put a value behind the plain values of its table, which is made if need be."""
        parent = path[:-1]
        tops = (parent[:length] for length in range(len(parent), 0, -1))
        near = next((top for top in tops if self._below(top)), ())
        tables = {n: self.statements[n].table for n in self._below(near)}
        # The table's own section, or the one around it if dotted keys stand for the table.
        own = [n for n, table in tables.items() if table == parent or len(table) < len(near)]
        place = own[-1] if own else self._add_table(parent)
        table = self.statements[place].table
        self._insert(place, [replace(statement, table=table, key=path[len(table) :], text="")])

    def _add_table(self, path: Path) -> int:
        """Put a new table at the end of the one that it belongs to; return where it is."""
        around = self._below(path[:-1])
        place = around[-1] if around else len(self.statements) - 2
        self._insert(place, [Statement("\n" if place >= 0 else "", path)])
        return place + 1

    def remove(self, path: Path, *, keeps_comments: bool = True) -> None:
        for number in reversed(self._below(path)):
            gone = self.statements.pop(number)
            if not keeps_comments:
                continue
            left = gone.above if gone.key or "#" in gone.above else ""
            # One that a copy took along is not lost.
            if gone.comment and not any(each.comment == gone.comment for each in self.statements):
                left += f"{gone.comment.lstrip()}\n"
            self.statements[number].above = left + self.statements[number].above

    def copy(self, source: Path, target: Path, *, keeps: bool) -> None:
        found = self._below(source)
        assert found, f"internal error: {'.'.join(source)} is not in the file"
        moved = [self.statements[number].moved(source, target) for number in found]
        if not keeps and source[:-1] == target[:-1]:
            for number, each in zip(found, moved):
                self.statements[number] = each
        elif moved[0].key:
            if keeps:
                moved[0].above = ""
            else:
                del self.statements[found[0]]
                start = _SPEAK_OF_BELOW.search(moved[0].above)
                assert start
                following = self.statements[found[0]]
                following.above = moved[0].above[: start.start()] + following.above
                moved[0].above = start[0]
            self._add(target, moved[0])
        else:
            moved[0].above = "\n" if keeps else moved[0].above
            self._insert(found[-1], moved)
            for number in [] if keeps else reversed(found):
                del self.statements[number]
