"""What `--help` says is true: its examples can be typed, and each option tells what it does."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

import click
import pytest

from kernel_builder.commands.group import COMMANDS, PROGRAM, cli

# An example starts a line, or stands in backquotes; a comment or another command may follow.
EXAMPLE = re.compile(rf"^\s+(?:\$ )?({PROGRAM} [^#&\n]+)|[`(]({PROGRAM} [^`)]+)[`)]", re.MULTILINE)


def command_of(name: str) -> click.Command:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


def examples() -> Iterator[tuple[str, str]]:
    """Yield each command line of a help text, with the command whose text it is."""
    for name in ("", *COMMANDS):
        text = (command_of(name) if name else cli).help or ""
        for found in EXAMPLE.finditer(text):
            yield name, (found[1] or found[2]).strip()


def test_there_are_examples() -> None:
    """A person who reads about these has to know what to type next."""
    assert {"", "init", "devshell", "testshell"} <= {name for name, _ in examples()}


@pytest.mark.parametrize(("name", "line"), list(examples()))
def test_examples_can_be_typed(name: str, line: str) -> None:
    del name
    _, command, *words = shlex.split(line)
    # Options and arguments are checked; nothing is run.
    command_of(command).make_context(command, words)


@pytest.mark.parametrize("name", COMMANDS)
def test_everything_is_explained(name: str) -> None:
    command = command_of(name)
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert [each.name for each in options if not each.help] == []
    text = (command.help or "").replace("\b", "")
    first = text.split("\n\n", maxsplit=1)[0]
    assert first.endswith("."), "a sentence that stands alone in the list of commands"
