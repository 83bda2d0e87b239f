"""The ways from the core to the extras: the table, `fetch` and `open_untrusted`.

An extra is a folder beside this file. It imports the core, never another extra, and no other module
of the core names it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

if TYPE_CHECKING:
    from kernel_builder.kernel.folder import Kernel
    from kernel_builder.variants.missing import Missing, Refusal


@dataclass(frozen=True)
class Extra:
    """The additions of an extra to the core.

    `commands` are in its module of this name, as are its `options` by the command of the core that
    they are for. `guard` compares a build with a published one before it is uploaded. `packages`
    are the Python packages that the core does without.
    """

    commands: Sequence[str] = ()
    options: Mapping[str, str] = field(default_factory=dict)
    guard: str = ""
    packages: Sequence[str] = ()


TABLE: Final[Mapping[str, Extra]] = {
    "hub_cache": Extra(commands=("push",)),
    "mirrors": Extra(commands=("prefetch",)),
    "report": Extra(options={"build": "REPORT"}),
    "trust": Extra(
        commands=("sign", "verify", "verify-signature"),
        guard="check_api",
        packages=("griffe", "sigstore"),
    ),
}


def fetch(missing: Missing, *, only_check: bool = False) -> list[Refusal]:
    """Fetch sources into the store; return those that cannot be had.

    Raises KernelBuilderError for wrong coordinates.
    """
    refused: list[Refusal] = _load("mirrors.fetch", "fetch_sources")(missing, only_check)
    return refused


def open_untrusted(folder: Path, targets: Sequence[str] = (), system: str | None = None) -> Kernel:
    """Return the kernel in a folder as one of others, of which nothing is evaluated."""
    kernel: Kernel = _load("trust.untrusted", "UntrustedKernel")(folder, targets, system)
    return kernel


def load_command(extra: str, name: str) -> Any:
    """Return a command of an extra, which says what to install if that is missing."""
    command = _load(f"{extra}.commands", name.replace("-", "_"))
    callback = command.callback

    @functools.wraps(callback)
    def run(*words: Any, **options: Any) -> Any:
        if lacking := _find_lacking(extra):
            packages = " and ".join(TABLE[extra].packages)
            fix = f"pip install 'kernel-builder[{extra}]'; in a checkout: ./install.sh --{extra}"
            found = f"no {' and no '.join(lacking)}"
            problem = Problem(name, found, f"the Python packages {packages}", fix)
            raise KernelBuilderError(f"`{name}` needs the extra `{extra}`", [problem])
        return callback(*words, **options)

    command.callback = run
    return command


def load_options(command: str) -> list[Any]:
    """Return the options that extras add to a command of the core."""
    return [
        _load(f"{name}.commands", extra.options[command])
        for name, extra in TABLE.items()
        if command in extra.options
    ]


def load_guard() -> Callable[[Any, Any], Sequence[Any]] | None:
    """Return the function that compares builds, None if its packages are missing."""
    ((name, guard),) = ((name, extra.guard) for name, extra in TABLE.items() if extra.guard)
    return None if _find_lacking(name) else _load(f"{name}.version_guard", guard)


def _find_lacking(extra: str) -> list[str]:
    return [name for name in TABLE[extra].packages if find_spec(name) is None]


def _load(module: str, name: str) -> Any:
    return getattr(import_module(f"kernel_builder.{module}"), name)
