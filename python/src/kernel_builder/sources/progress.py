"""Shows how far the fetching is: one line that changes on a terminal, plain lines elsewhere."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence

from kernel_builder.messages.terminal import StatusLine
from kernel_builder.sources.coordinates import Source


class Arrivals:
    """Counts sources; `note` may be called from any thread, the rest from one."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._ended = 0
        self._line = StatusLine()
        self._lock = threading.Lock()
        self._noted = ""

    def show_running(self, labels: Sequence[str]) -> None:
        """Show what is under way."""
        with self._lock:
            noted = self._noted
        now = ", ".join(labels[:4])
        self._line.show(f"fetching sources {self._ended}/{self._total}: {now} {noted}".rstrip())

    def note(self, line: str) -> None:
        """Take a line of apt and keep what it fetches at the moment."""
        fetched = re.match(r"Get:\d+ \S+ \S+ \S+ (\S+)", line)
        if fetched:
            with self._lock:
                self._noted = f"({fetched.group(1)})"

    def arrived(self, source: Source) -> None:
        """Report a source that is in the store now."""
        self._end(f"fetched {source.label}")

    def failed(self, source: Source) -> None:
        """Report a source that cannot be had; why is told at the end."""
        self._end(f"no way to get {source.label}")

    def finish(self) -> None:
        """Leave the terminal tidy."""
        self._line.clear()

    def _end(self, text: str) -> None:
        self._ended += 1
        if self._line.is_live:
            return
        self._line.print_above(f"[{self._ended}/{self._total}] {text}")
