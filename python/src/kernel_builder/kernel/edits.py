"""Edit a TOML file with tomlkit, which keeps comments, order and layout.

The edits come as data from `lib/config/editions`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

import tomlkit
from tomlkit.items import AoT, InlineTable, Item, SingleKey, Table


def rewrite(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """Return a TOML text after all edits, in their order.

    A comment that stands above a key stays there; one behind a key moves or goes with the key.
    """
    document = tomlkit.parse(text)
    for edit in edits:
        action, path = edit["action"], edit["path"]
        value: Any = None
        if action == "set":
            value = tomlkit.item(edit["value"])
        elif action in ("copy", "move"):
            value = deepcopy(_find_table(document, edit["from"])[edit["from"][-1]])
        if action in ("remove", "move"):
            gone = edit.get("from", path)
            _find_table(document, gone).remove(gone[-1])
        if value is not None:
            _set(_find_table(document, path), path[-1], value)
    return tomlkit.dumps(document)


def _set(table: Any, key: str, value: Item) -> None:
    """Set a key; a new one comes behind the last value, before comments about what follows."""
    if key in table or isinstance(table, InlineTable) or isinstance(value, Table):
        table[key] = value
        return
    container = table.value if isinstance(table, Table) else table
    place = 0
    for number, (name, item) in enumerate(container.body):
        if name is not None and not isinstance(item, (AoT, Table)):
            place = number + 1
    if 0 < place < len(container.body):
        container._insert_at(place, SingleKey(key), value)
    else:
        table[key] = value


def _find_table(document: Any, path: Sequence[str]) -> Any:
    """Return the table of the key that a path ends with; missing tables are added."""
    for key in path[:-1]:
        if key not in document:
            is_inline = isinstance(document, InlineTable)
            document[key] = tomlkit.inline_table() if is_inline else tomlkit.table()
        document = document[key]
    return document
