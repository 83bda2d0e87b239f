"""Progress: a line that changes at the bottom of a terminal, nothing elsewhere."""

from __future__ import annotations

import shutil
import sys

from kernel_builder.messages import terminal
from kernel_builder.settings import current_settings


class Progress:
    """A line at the bottom of the terminal; only one thread may use it."""

    def __init__(self) -> None:
        self.is_live = terminal.is_live() and current_settings().verbosity > 0
        self._line = ""

    def show(self, text: str) -> None:
        """Change the line."""
        if self.is_live:
            # Without colours, which a line that is cut would not end.
            line = " ".join(terminal.clean(text).replace("\x1b", "").split())
            self._write(line[: shutil.get_terminal_size().columns - 1])

    def say(self, text: str) -> None:
        """Print a line that stays, in place of the one that changes."""
        self.close()
        terminal.say(text)

    def close(self) -> None:
        """Remove the line."""
        self._write("")

    def _write(self, line: str) -> None:
        if line != self._line:
            self._line = line
            print(f"\r\033[K{line}", end="", file=sys.stderr, flush=True)
