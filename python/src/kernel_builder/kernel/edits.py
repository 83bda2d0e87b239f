"""Edits of a TOML file that leave its comments, its order and its layout alone.

What to change comes from `lib/editions` as data; here it is only done. An edit is made on the
elements of the file, blank lines and comments among them, and each one starts from a fresh parse.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Optional, Union

import tomlkit
from tomlkit.container import Container
from tomlkit.items import Comment, InlineTable, Item, Key, SingleKey, Table, Trivia, Whitespace

Element = tuple[Optional[Key], Item]
Body = list[Element]
Parent = Union[Container, Table, InlineTable]
Path = Sequence[str]


def rewrite(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """Return the text after all edits, in their order."""
    line_end = "\r\n" if "\r\n" in text else "\n"
    text = text.replace("\r\n", "\n")
    if text and not text.endswith("\n"):
        text += "\n"
    for edit in edits:
        document = tomlkit.parse(text)
        _ACTIONS[edit["action"]](document, edit)
        text = tomlkit.dumps(document)
    return text.replace("\n", line_end)


def read(text: str) -> dict[str, Any]:
    """Return the content of a TOML text."""
    return tomlkit.parse(text).unwrap()


def _set(document: Container, edit: Mapping[str, Any]) -> None:
    found = _find(document, edit["path"])
    value = edit["value"]
    if found:
        parent, index = found
        _body(parent)[index] = (_body(parent)[index][0], _like(_body(parent)[index][1], value))
    elif isinstance(value, dict):
        _make_table(document, edit["path"])
    else:
        _insert(document, edit["path"], [], tomlkit.item(value))


def _remove(document: Container, edit: Mapping[str, Any]) -> None:
    found = _find(document, edit["path"])
    if not found:
        return
    parent, index = found
    if isinstance(parent, InlineTable):
        del parent[edit["path"][-1]]
        return
    item = _body(parent)[index][1]
    comment = item.trivia.comment
    # One that a copy took along is not lost.
    is_last = comment and tomlkit.dumps(document).count(comment) == 1
    kept: Body = [(None, Comment(Trivia(comment=comment, trail="\n")))] if is_last else []
    if isinstance(item, Table):
        kept += [element for element in item.value.body if element[0] is None]
    if not any(isinstance(each, Comment) for _, each in kept):
        kept = []
    _body(parent)[index : index + 1] = kept


def _copy(document: Container, edit: Mapping[str, Any]) -> None:
    parent, index = _demand(document, edit["from"])
    item = _body(parent)[index][1]
    if not isinstance(item, Table):
        _insert(document, edit["path"], [], copy.deepcopy(item))
        return
    tail = _cut_tail(_body(item))
    twin = _named(copy.deepcopy(item), edit["path"])
    _body(item).append(_blank())
    _body(twin).extend(tail)
    _body(parent).insert(index + 1, (SingleKey(edit["path"][-1]), twin))


def _move(document: Container, edit: Mapping[str, Any]) -> None:
    source, target = edit["from"], edit["path"]
    parent, index = _demand(document, source)
    item = _body(parent)[index][1]
    if isinstance(parent, InlineTable):
        del parent[source[-1]]
        _insert(document, target, [], tomlkit.item(item.unwrap()))
    elif source[:-1] == target[:-1]:
        item = _named(item, target) if isinstance(item, Table) else item
        _body(parent)[index] = (SingleKey(target[-1]), item)
    else:
        start = index
        while start > 0 and isinstance(_body(parent)[start - 1][1], Comment):
            start -= 1
        above = _body(parent)[start:index]
        del _body(parent)[start : index + 1]
        _insert(document, target, above, item)


_ACTIONS = {"set": _set, "remove": _remove, "copy": _copy, "move": _move}


def _body(parent: Parent) -> Body:
    return parent.body if isinstance(parent, Container) else parent.value.body


def _places(parent: Parent, path: Path) -> Iterator[tuple[Parent, int]]:
    """Yield where a path is: a table may be written in several pieces."""
    for index, (key, item) in enumerate(_body(parent)):
        if key is None or key.key != path[0]:
            continue
        if len(path) == 1:
            yield parent, index
        elif isinstance(item, (Table, InlineTable)):
            yield from _places(item, path[1:])


def _find(document: Container, path: Path) -> tuple[Parent, int] | None:
    """Return the place of a path; of a table's pieces the one with a line of its own."""
    found = list(_places(document, path))
    pieces = [place for place in found if not _is_nameless(_body(place[0])[place[1]][1])]
    return next(iter(pieces or found), None)


def _is_nameless(item: Item) -> bool:
    return isinstance(item, Table) and item.is_super_table()


def _demand(document: Container, path: Path) -> tuple[Parent, int]:
    found = _find(document, path)
    assert found, f"internal error: {'.'.join(path)} is not in the file"
    return found


def _insert(document: Container, path: Path, above: Body, item: Item) -> None:
    """Put a value behind the plain values of its table, which is made if need be."""
    parent = _table(document, path[:-1])
    if isinstance(parent, InlineTable):
        parent[path[-1]] = item.unwrap()
        return
    place = 0
    for index, (key, each) in enumerate(_body(parent)):
        if key is not None and not isinstance(each, Table):
            place = index + 1
    # Comments that a blank line follows speak of what is above them.
    rest = [type(each) for _, each in _body(parent)[place:]]
    if Whitespace in rest and set(rest[: rest.index(Whitespace)]) == {Comment}:
        place += rest.index(Whitespace)
    item.trivia.trail = "\n"
    _body(parent)[place:place] = [*above, (SingleKey(path[-1]), item)]


def _table(document: Container, path: Path) -> Parent:
    if not path:
        return document
    found = _find(document, path)
    if not found:
        return _make_table(document, path)
    item = _body(found[0])[found[1]][1]
    assert isinstance(item, (Table, InlineTable)), f"internal error: {'.'.join(path)} is no table"
    return item


def _make_table(document: Container, path: Path) -> Parent:
    """Put a new table at the end of the one that it belongs to."""
    parent = _table(document, path[:-1])
    if isinstance(parent, InlineTable):
        parent[path[-1]] = {}
        made = parent[path[-1]]
        assert isinstance(made, InlineTable)
        return made
    tail = _cut_tail(_body(parent))
    table = Table(Container(True), Trivia(), False, name=path[-1], display_name=_dotted(path))
    if tomlkit.dumps(document):
        _body(parent).append(_blank())
    _body(parent).append((SingleKey(path[-1]), table))
    _body(table).extend(tail)
    return table


def _cut_tail(body: Body) -> Body:
    """Take off what follows the last value of a table: from its first blank line on.

    What stands there (comments, mostly) speaks of the next table, not of this one.
    """
    last = max((index for index, (key, _) in enumerate(body) if key is not None), default=-1)
    item = body[last][1] if last >= 0 else None
    inner = _cut_tail(_body(item)) if isinstance(item, Table) else []
    start = last + 1
    while start < len(body) and not isinstance(body[start][1], Whitespace):
        start += 1
    tail = body[start:]
    del body[start:]
    return inner + tail


def _named(table: Table, path: Path) -> Table:
    table.name = path[-1]
    if table.display_name is not None:
        table.display_name = _dotted(path)
    return table


def _dotted(path: Path) -> str:
    return ".".join(SingleKey(key).as_string() for key in path)


def _like(old: Item, value: Any) -> Item:
    """Return a value with the surroundings of an old one, such as its comment."""
    new: Item = tomlkit.item(value)
    for part in ("indent", "comment_ws", "comment", "trail"):
        setattr(new.trivia, part, getattr(old.trivia, part))
    return new


def _blank() -> Element:
    return None, Whitespace("\n")
