"""Output for people goes to standard error; standard output is for results.

Names and texts in messages may come from strangers. No line of output has a secret, or a control
character that a terminal would obey.

Colours and lines that change need a terminal that can do both; `NO_COLOR` turns colours off.
"""

import json
import os
import re
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any, Final, TextIO

from kernel_builder.messages.secrets import redact
from kernel_builder.settings import current_settings

# Raised when a key of the JSON that commands print is removed or changes its meaning.
JSON_VERSION: Final = 1
SECONDS_BETWEEN_LINES: Final = 10
COLOURS: Final = {"red": "31", "green": "32", "yellow": "33"}

# gcc erases to the end of the line after each colour; lines of Windows end with a return.
_DROPPED: Final = re.compile(r"\x1b\[K|\r(?=\n)")
# First bold and the colours of compilers and of this program: nothing that hides text. Then control
# characters but tab and line feed; the last ranges reverse text (CVE-2021-42574).
_CONTROL: Final = re.compile(
    r"(\x1b\[(?:(?:0?[01]|3[1-7])(?:;(?:0?[01]|3[1-7]))*)?m)"
    r"|[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]"
)


def is_live(stream: TextIO | None = None) -> bool:
    """Say whether a stream (standard error) is a terminal that can move its cursor."""
    capable = os.environ.get("TERM") not in ("dumb", "unknown")
    return capable and (stream or sys.stderr).isatty()


def paint(text: str, colour: str, stream: TextIO | None = None) -> str:
    """Return the text in a colour where the stream takes colours."""
    if os.environ.get("NO_COLOR") or not is_live(stream):
        return text
    return f"\033[{COLOURS[colour]}m{text}\033[0m"


def clean(text: str) -> str:
    """Return a text without secrets, and with control characters written out (`\\x1b`)."""
    text = _DROPPED.sub("", redact(text))
    return _CONTROL.sub(lambda found: found[1] or ascii(found[0])[1:-1], text)


def say(text: str) -> None:
    """Print a message, unless -q is given."""
    if current_settings().verbosity > 0:
        print(clean(text), file=sys.stderr, flush=True)


def complain(kind: str, text: str) -> None:
    """Print a message with its kind (`error`, `warning`) in front; -q leaves errors only."""
    if kind == "error" or current_settings().verbosity > 0:
        colour = "red" if kind == "error" else "yellow"
        print(f"{paint(kind + ':', colour)} {clean(text)}", file=sys.stderr, flush=True)


def format_columns(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table whose columns are aligned to the left."""
    widths = [max(map(len, column)) for column in zip(*rows)]
    pairs = (zip(row, widths) for row in rows)
    return ["  ".join(f"{text:{width}}" for text, width in each).rstrip() for each in pairs]


class Progress:
    """A line at the bottom of the terminal; only one thread may use it."""

    def __init__(self) -> None:
        self.is_live = is_live() and current_settings().verbosity > 0
        self._line = ""
        self.started = self._said = time.monotonic()

    def show(self, text: str) -> None:
        """Change the line; no text removes it."""
        # Without colours, which a line that is cut would not end.
        line = " ".join(clean(text).replace("\x1b", "").split()) if self.is_live else ""
        line = line[: shutil.get_terminal_size().columns - 1]
        if line != self._line:
            self._line = line
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)

    def show_timed(self, text: str) -> None:
        """Change the line, with the time so far; without a terminal, print it every ten seconds."""
        now = time.monotonic()
        minutes, seconds = divmod(int(now - self.started), 60)
        if self.is_live:
            self.show(f"[{minutes}:{seconds:02}] {text}")
        elif now - self._said >= SECONDS_BETWEEN_LINES:
            self._said = now
            say(f"[{minutes}:{seconds:02}] {text}")

    def say(self, text: str) -> None:
        """Print a line that stays, in place of the one that changes."""
        self.close()
        say(text)

    def close(self) -> None:
        """Remove the line."""
        self.show("")


def print_result(data: Mapping[str, Any], text: str = "") -> None:
    """Print the result of a command: its data with --json, else its text; neither has secrets."""
    if current_settings().as_json:
        print(json.dumps(_cleaned({"version": JSON_VERSION, **data}), indent=2), flush=True)
    elif text:
        print(clean(text), flush=True)


def _cleaned(data: Any) -> Any:
    if isinstance(data, str):
        # A file name that is no UTF-8 has lone surrogates here, which no JSON may have.
        return redact(data).encode(errors="replace").decode()
    if isinstance(data, dict):
        return {_cleaned(key): _cleaned(value) for key, value in data.items()}
    return [_cleaned(each) for each in data] if isinstance(data, (list, tuple)) else data
