"""The option --from of `init`."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.extras import find_refusal


def _load_draft(_context: click.Context, _option: click.Parameter, root: Path | None) -> Any:
    """Return the function that drafts a kernel from a project, None without one."""
    if root is None:
        return None
    if error := find_refusal("port", "init --from"):
        raise error
    from kernel_builder.porting.draft import draft_kernel

    return partial(draft_kernel, root)


FROM: Final = click.Option(
    ["--from", "draft"], type=click.Path(path_type=Path), metavar="PROJECT", callback=_load_draft,
    help="Draft the kernel from a project with a setup.py, of which nothing is run or changed.",
)  # fmt: skip
