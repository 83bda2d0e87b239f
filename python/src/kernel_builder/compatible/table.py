"""Answers to what Hugging Face's tool has and this one does not do, from existing_tool.json.

The file has each of its commands, options and variables, one record a line. A record without
`instead` works here. `note` says in the documentation how this tool differs.
"""

import json
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn

import click

from kernel_builder.messages.terminal import complain

FILE: Final = Path(__file__).with_name("existing_tool.json")


def _find(command: str, kind: str) -> Sequence[Mapping[str, Any]]:
    """Return the records of a command whose answer is a sentence; `kind` is a key of them."""
    records = json.loads(FILE.read_text(encoding="utf-8"))
    return [
        each
        for each in records
        if each.get("command") == command and "instead" in each and kind in each
    ]


def list_options(command: str) -> list[click.Option]:
    """Return the options of a command that have no effect here, and say so when they are given."""
    return [
        click.Option(
            each["option"],
            is_flag=not each["takes-value"],
            hidden=True,
            expose_value=False,
            help=each["instead"],
            callback=_explain,
        )
        for each in _find(command, "option")
    ]


def _explain(_context: click.Context, option: click.Parameter, value: Any) -> None:
    if value and isinstance(option, click.Option):
        complain("warning", str(option.help))


def make_refusal(command: str) -> click.Command | None:
    """Return a command that says what to type instead, None if nothing is like this one."""
    context = click.get_current_context()
    names: list[str] = getattr(context.command, "list_commands", lambda _: [])(context)
    near = get_close_matches(command, names, n=1)
    said = [each["instead"] for each in _find(command, "arguments")]
    said += [f'No such command "{command}". Did you mean "{each}"?' for each in near]
    if not said:
        return None

    def refuse(**_words: Any) -> NoReturn:
        raise click.UsageError(said[0])

    words = click.Argument(["words"], nargs=-1, type=click.UNPROCESSED)
    settings = {"ignore_unknown_options": True, "help_option_names": []}
    return click.Command(command, settings, refuse, [words], hidden=True)
