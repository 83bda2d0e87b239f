"""Progress: a line that changes at the bottom of a terminal, nothing elsewhere."""

from __future__ import annotations

from typing import Any

from kernel_builder.messages import terminal
from kernel_builder.settings import current_settings


class Progress:
    """A line at the bottom of the terminal; only one thread may use it."""

    def __init__(self) -> None:
        self.is_live = terminal.is_live() and current_settings().verbosity > 0
        self._live: Any = None
        self._text: Any = None

    def show(self, text: str) -> None:
        """Change the line."""
        if self.is_live:
            if self._live is None:
                self._start()
            self._text.plain = terminal.clean(text)

    def say(self, text: str) -> None:
        """Print a line that stays, above the one that changes."""
        if self._live:
            terminal.say(text, self._print_above)
        else:
            terminal.say(text)

    def _print_above(self, text: str) -> None:
        self._live.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Remove the line and restore the cursor."""
        if self._live:
            self._live.stop()
        self._live = None

    def _start(self) -> None:
        # Loaded only where it is seen.
        from rich.console import Console
        from rich.live import Live
        from rich.text import Text

        console = Console(stderr=True)
        self._text = Text(no_wrap=True, overflow="ellipsis")
        self._live = Live(self._text, console=console, transient=True, refresh_per_second=4)
        self._live.start()
