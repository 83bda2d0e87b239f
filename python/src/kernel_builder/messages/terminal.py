"""Output for people. It goes to standard error; standard output is for results.

No line of it has a token or a password in an address.

Colours and lines that change need a terminal that can do both; `NO_COLOR` turns colours off.
"""

from __future__ import annotations

import os
import sys
from typing import Final, TextIO

from kernel_builder.messages.secrets import redact

COLOURS: Final = {"red": "31", "green": "32", "yellow": "33"}

# What -q and -v set: 0 shows errors alone, 2 each program that is started.
level = 1


def is_live(stream: TextIO | None = None) -> bool:
    """Say whether a stream (standard error) is a terminal that can move its cursor."""
    capable = os.environ.get("TERM") not in ("dumb", "unknown")
    return capable and (stream or sys.stderr).isatty()


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Return the text in a colour where the stream takes colours."""
    if os.environ.get("NO_COLOR") or not is_live(stream):
        return text
    return f"\033[{COLOURS[colour]}m{text}\033[0m"


def say(text: str) -> None:
    """Print something worth knowing."""
    if level > 0:
        print(redact(text), file=sys.stderr, flush=True)


def complain(kind: str, text: str) -> None:
    """Print a message with its kind (`error`, `warning`) in front; -q leaves errors only."""
    if kind == "error" or level > 0:
        colour = "red" if kind == "error" else "yellow"
        print(f"{paint(kind + ':', colour)} {redact(text)}", file=sys.stderr, flush=True)
