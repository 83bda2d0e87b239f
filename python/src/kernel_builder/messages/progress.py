"""How far something is: lines that change at the bottom of a terminal, nothing elsewhere."""

from __future__ import annotations

from typing import Any

from kernel_builder.messages import terminal


class Progress:
    """Lines for what is under way, each by a key; any thread may change them."""

    def __init__(self) -> None:
        self.is_live = terminal.is_live() and terminal.level > 0
        self._display: Any = None
        self._tasks: dict[str, Any] = {}

    def show(self, key: str, text: str, done: float = 0, total: float | None = None) -> None:
        """Show a line, or change it."""
        self._update(key, text, "steps", done, total)

    def show_bytes(self, key: str, text: str, done: float, total: float | None) -> None:
        """Show a download, with its rate and the time that is left."""
        self._update(key, text, "bytes", done, total)

    def remove(self, key: str) -> None:
        """Take a line away."""
        if key in self._tasks:
            self._display.remove_task(self._tasks.pop(key))

    def say(self, text: str) -> None:
        """Print a line that stays, above those that change."""
        if self._display and terminal.level > 0:
            self._display.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            terminal.say(text)

    def close(self) -> None:
        """Leave the terminal tidy."""
        if self._display:
            self._display.stop()
        self._display = None
        self._tasks.clear()

    def _update(self, key: str, text: str, kind: str, done: float, total: float | None) -> None:
        if not self.is_live:
            return
        if self._display is None:
            self._display = _make_display()
            self._display.start()
        if key not in self._tasks:
            self._tasks[key] = self._display.add_task(text, total=total, kind=kind)
        self._display.update(self._tasks[key], description=text, completed=done, total=total)


def _make_display() -> Any:
    # Loaded only where it is seen.
    from rich.console import Console
    from rich.progress import (
        DownloadColumn,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Display
    from rich.table import Column
    from rich.text import Text

    class OfBytes(ProgressColumn):
        """Shows another column where bytes are counted."""

        def __init__(self, column: ProgressColumn) -> None:
            super().__init__()
            self._column = column

        def render(self, task: Task) -> Any:
            counts = task.fields.get("kind") == "bytes" and task.completed
            return self._column(task) if counts else Text("")

    names = Column(no_wrap=True, overflow="ellipsis", ratio=1)
    numbers = (DownloadColumn(), TransferSpeedColumn(), TimeRemainingColumn(compact=True))
    return Display(
        TextColumn("{task.description}", markup=False, table_column=names),
        *map(OfBytes, numbers),
        console=Console(stderr=True),
        transient=True,
        expand=True,
        refresh_per_second=4,
    )
