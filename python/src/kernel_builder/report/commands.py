"""The option --report of `build`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands.results import ADDITIONS
from kernel_builder.variants.build import BuildResult


def _add_report(context: click.Context, _option: click.Parameter, file: Path | None) -> None:
    """Let the build collect its report, and write it at the very end."""
    if not file:
        return

    def add(results: Sequence[BuildResult]) -> dict[str, Any]:
        from kernel_builder.messages.terminal import say
        from kernel_builder.report import collect_report, write_report

        report = collect_report(results)

        def write() -> None:
            # A full disk takes away nothing but the report.
            write_report(report, file)
            say(f"report: {file}")

        context.call_on_close(write)
        return {"report": report}

    context.meta.setdefault(ADDITIONS, []).append(add)


REPORT: Final = click.Option(
    ["--report"], type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    expose_value=False, callback=_add_report,
    help="Write the times, memory and sizes of all steps: a page, or JSON for FILE.json.",
)  # fmt: skip
