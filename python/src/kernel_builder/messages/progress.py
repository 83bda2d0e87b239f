"""How far something is: lines that change at the bottom of a terminal, nothing elsewhere."""

from __future__ import annotations

from typing import Any

from kernel_builder.messages import terminal
from kernel_builder.settings import current_settings


class Progress:
    """A line for the whole, and below it one for each download; only one thread may use it."""

    def __init__(self) -> None:
        self.is_live = terminal.is_live() and current_settings().verbosity > 0
        self._live: Any = None
        self._text: Any = None
        self._downloads: Any = None
        self._tasks: dict[str, Any] = {}

    def show(self, text: str) -> None:
        """Show how far the whole is."""
        if self.is_live:
            if self._live is None:
                self._start()
            self._text.plain = terminal.clean(text)

    def show_bytes(self, key: str, text: str, done: float, total: float) -> None:
        """Show a download, with its rate and the time that is left."""
        if self._live:
            if key not in self._tasks:
                self._tasks[key] = self._downloads.add_task("")
            task, shown = self._tasks[key], terminal.clean(text)
            self._downloads.update(task, description=shown, completed=done, total=total)

    def remove(self, key: str) -> None:
        """Take the line of a download away."""
        if key in self._tasks:
            self._downloads.remove_task(self._tasks.pop(key))

    def say(self, text: str) -> None:
        """Print a line that stays, above those that change."""
        if self._live:
            terminal.say(text, self._print_above)
        else:
            terminal.say(text)

    def _print_above(self, text: str) -> None:
        self._live.console.print(text, markup=False, highlight=False, soft_wrap=True)

    def close(self) -> None:
        """Remove the progress lines and restore the cursor."""
        if self._live:
            self._live.stop()
        self._live = None
        self._tasks.clear()

    def _start(self) -> None:
        # Loaded only where it is seen.
        from rich import progress
        from rich.console import Console, Group
        from rich.live import Live
        from rich.table import Column
        from rich.text import Text

        console = Console(stderr=True)
        names = Column(no_wrap=True, overflow="ellipsis", ratio=1)
        self._text = Text(no_wrap=True, overflow="ellipsis")
        self._downloads = progress.Progress(
            progress.TextColumn("{task.description}", markup=False, table_column=names),
            progress.DownloadColumn(),
            progress.TransferSpeedColumn(),
            progress.TimeRemainingColumn(compact=True),
            console=console,
            expand=True,
        )
        lines = Group(self._text, self._downloads)
        self._live = Live(lines, console=console, transient=True, refresh_per_second=4)
        self._live.start()
