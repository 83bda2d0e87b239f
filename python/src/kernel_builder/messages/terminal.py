"""Output for people: colours, and one line that is rewritten while something takes long.

Everything here goes to standard error; standard output is for results.
Colour and rewriting need a terminal, and `NO_COLOR` turns colour off.
"""

from __future__ import annotations

import os
import shutil
import sys
from typing import Final, TextIO

COLOURS: Final = {"red": "31", "green": "32", "yellow": "33", "bold": "1", "dim": "2"}


def is_live(stream: TextIO | None = None) -> bool:
    """Say whether a stream (standard error if none is given) is a terminal with more than text."""
    return (stream or sys.stderr).isatty() and os.environ.get("TERM") != "dumb"


def paint(text: str, colour: str, *, live: bool) -> str:
    """Return the text in a colour where colours are wanted."""
    if not live or os.environ.get("NO_COLOR"):
        return text
    return f"\033[{COLOURS[colour]}m{text}\033[0m"


def say(text: str) -> None:
    """Print one plain line."""
    print(text, file=sys.stderr, flush=True)


def complain(kind: str, text: str) -> None:
    """Print a message with its kind (`error`, `warning`) in front."""
    colour = "red" if kind == "error" else "yellow"
    say(f"{paint(kind + ':', colour, live=is_live())} {text}")


class StatusLine:
    """A line at the bottom of a terminal; elsewhere it shows nothing."""

    def __init__(self) -> None:
        self.is_live = is_live()
        self._shown = ""

    def show(self, text: str) -> None:
        """Replace the line."""
        if not self.is_live or text == self._shown:
            return
        width = shutil.get_terminal_size().columns
        short = text if len(text) < width else text[: width - 2] + "…"
        print(f"\r\033[K{short}", end="", file=sys.stderr, flush=True)
        self._shown = text

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
            self._shown = ""

    def print_above(self, text: str) -> None:
        """Print a line that stays, and go on below it."""
        self.clear()
        say(text)
