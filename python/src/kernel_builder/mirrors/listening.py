"""Runs the programs of mirrors, whose output is shown as progress and read at the end."""

from collections.abc import Callable, Sequence
from typing import Any

from kernel_builder.machine.process import Finished, stream


def listen(
    argv: Sequence[str], on_line: Callable[[str], object] = lambda _: None, **options: Any
) -> Finished:
    """Run a program as `stream` does, and keep its output."""
    lines: list[str] = []

    def read(line: str) -> None:
        lines.append(line)
        on_line(line)

    return Finished(stream(argv, read, **options), "\n".join(lines), "")
