"""`update-build`: rewrite a build.toml of an older edition, with its comments, order and layout.

The edits come as data from `lib/config/editions`.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from pathlib import Path
from typing import Any

import click
import tomli
import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import Comment, InlineTable, Table, Whitespace

from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_result, say
from kernel_builder.nix.quoting import nix_path


@click.command(short_help="Rewrite build.toml to the newest edition.")
@options.kernel_folder
@click.option("--check", is_flag=True, help="Write nothing; fail if there is something to do.")
def update_build(folder: Path, check: bool) -> int:
    """Bring the build.toml in DIR (default: this folder) to the newest edition.

    Order stays, and so do comments of keys that stay. If something cannot be carried over, nothing
    is written.
    """
    file = Kernel(folder).folder / "build.toml"
    text = file.read_bytes().decode()
    plan = evaluate_library(f"config.buildToml.planUpdate (builtins.readFile {nix_path(file)})")
    headline = f"{file} cannot be brought to the newest edition"
    if plan["problems"]:
        raise KernelBuilderError(headline, [Problem.read(each) for each in plan["problems"]])
    is_newest = not plan["edits"]
    if not is_newest:
        new, data = text, None
        # Another parser decides whether the new text is right; tomlkit fails on rare layouts.
        with suppress(TOMLKitError, ValueError):
            new = rewrite(text, plan["edits"])
            data = tomli.loads(new)
        if data != plan["toml"]:
            notes = [Problem.read(each) for each in plan["notes"]]
            raise KernelBuilderError(f"{headline}; edit it by hand", notes)
        if not check:
            write_below(file.parent, file.name, new.encode())
    for note in plan["notes"]:
        say(f"{note['at']}: {note['found']}; the newest has {note['want']}")
    state = "is of an older edition" if check else "is updated"
    say(f"{file} {'has nothing to update' if is_newest else state}")
    is_written = not is_newest and not check
    print_result({"is-newest": is_newest, "written": is_written, "notes": plan["notes"]}, "")
    return 1 if check and not is_newest else 0


def rewrite(text: str, edits: Sequence[Mapping[str, Any]]) -> str:
    """Return a TOML text after all edits, in their order.

    A comment that stands above a key stays there; one behind a key moves or goes with the key. A
    new key comes below a comment about the first table inside its own.
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


def _set(table: Any, key: str, value: Any) -> None:
    """Set a key; a new one comes before the comments at a table's end, about the next table.

    A key that has another name now leaves a Null, below its comments.
    """
    body = getattr(table.value if isinstance(table, Table) else table, "body", [])
    comments: list[Any] = []
    while body and isinstance(body[-1][1], (Comment, Whitespace)):
        comments.insert(0, body.pop())
    table[key] = value
    body += comments


def _find_table(document: Any, path: Sequence[str]) -> Any:
    """Return the table of the key that a path ends with; missing tables are added."""
    for key in path[:-1]:
        empty = tomlkit.inline_table() if isinstance(document, InlineTable) else tomlkit.table()
        document = document.setdefault(key, empty)
    return document
