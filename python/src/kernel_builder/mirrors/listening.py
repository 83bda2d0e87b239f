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

    def repeat() -> None:
        on_line(lines[-1] if lines else "")

    return Finished(stream(argv, read, repeat, **options), "\n".join(lines), "")
