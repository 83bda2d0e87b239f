"""The options --from, --from-option and --from-env of `init`."""

from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.messages.errors import Problem, UsageError

_KEY: Final = "kernel_builder.porting"


def _load_draft(context: click.Context, _option: click.Parameter, root: Path | None) -> Any:
    """Return the function that drafts a kernel from a project, None without one."""
    if root is None:
        return None
    from kernel_builder.porting.draft import draft_kernel

    return partial(draft_kernel, root, context.meta.setdefault(_KEY, {}))


def _keep(context: click.Context, option: click.Parameter, given: tuple[str, ...]) -> None:
    """Keep the words of an option for the draft, which is made later."""
    if wrong := [each for each in given if option.name == "variables" and "=" not in each]:
        problem = Problem("--from-env", wrong[0], "NAME=VALUE", "write the value, too")
        raise UsageError("a variable has no value", [problem])
    context.meta.setdefault(_KEY, {})[option.name] = given


FROM: Final = click.Option(
    ["--from", "draft"], type=click.Path(path_type=Path), metavar="PROJECT", callback=_load_draft,
    help="Draft the kernel from a project: its setup.py or CMake files run in the sandbox.",
)  # fmt: skip
WORD: Final = click.Option(
    ["--from-option", "arguments"], multiple=True, metavar="WORD", callback=_keep,
    expose_value=False,
    help="Give the project's setup.py a word, such as --from-option=--cuda_ext.",
)  # fmt: skip
VARIABLE: Final = click.Option(
    ["--from-env", "variables"], multiple=True, metavar="NAME=VALUE", callback=_keep,
    expose_value=False,
    help="Give the project's setup.py a variable of the environment.",
)  # fmt: skip
