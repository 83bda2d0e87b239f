"""The ways from the core to the extras: the table, `fetch` and `open_kernel`.

An extra is a folder beside this file. It imports the core, never another extra, and no other module
of the core names it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.settings import current_settings

if TYPE_CHECKING:
    from kernel_builder.kernel.folder import Kernel
    from kernel_builder.variants.missing import Missing, Refusal

# The commands of each extra, which are in its module `commands`.
TABLE: Final[Mapping[str, Sequence[str]]] = {
    "authoring": (
        "add-test-package", "check-abi", "check-builds", "clean-pyproject", "completions",
        "create-pyproject", "devshell", "fill-card", "init", "schema", "testshell", "update-build",
    ),
    "compatible": ("hash", "skills"),
    "hub_cache": ("push",),
    "mirrors": ("prefetch",),
    "porting": (),
    "publishing": ("benchmark", "build-and-upload", "status", "update-lock", "upload"),
    "report": (),
    "trust": ("sign", "verify", "verify-signature"),
}  # fmt: skip
# The options that extras add to commands of the core.
OPTIONS: Final = {
    "build": ("publishing.missing:MISSING", "publishing.missing:STALE", "report.commands:REPORT"),
    "init": ("porting.commands:FROM", "porting.commands:WORD", "porting.commands:VARIABLE"),
}
# The Python packages that the core does without, by the group of pyproject.toml that has them.
PACKAGES: Final = {"trust": ("griffe", "sigstore")}


def fetch(missing: Missing, *, only_check: bool = False) -> list[Refusal]:
    """Fetch sources into the store; return those that cannot be had.

    Raises KernelBuilderError for wrong coordinates.
    """
    refused: list[Refusal] = _load("mirrors.fetch", "fetch_sources")(missing, only_check)
    return refused


def recall(derivations: Sequence[str]) -> dict[str, list[Refusal]]:
    """Return those derivations whose sources could not be had minutes ago, with these sources."""
    recalled: dict[str, list[Refusal]] = _load("mirrors.refusals", "recall_refusals")(derivations)
    return recalled


def describe_refusals(refused: Sequence[Refusal]) -> list[Problem]:
    """Return problems, one for all sources with the same way out."""
    problems: list[Problem] = _load("mirrors.refusals", "describe_refusals")(refused)
    return problems


def open_kernel(folder: Path, targets: Sequence[str] = (), system: str | None = None) -> Kernel:
    """Return the kernel in a folder; with --untrusted as one of others: nothing is evaluated."""
    theirs, mine = ("trust.untrusted", "UntrustedKernel"), ("kernel.folder", "Kernel")
    opener = _load(*(theirs if current_settings().untrusted else mine))
    kernel: Kernel = opener(folder, targets, system)
    return kernel


def load_command(extra: str, name: str) -> Any:
    """Return a command of an extra, which says what to install if that is missing."""
    command = _load(f"{extra}.commands", name.replace("-", "_"))
    if error := find_refusal(extra, name):

        def refuse(**_options: Any) -> NoReturn:
            raise error

        command.callback = refuse
    return command


def load_options(command: str) -> list[Any]:
    """Return options of Hugging Face's tool that a command can do without, and says so."""
    options: list[Any] = _load("compatible.table", "list_options")(command)
    return options


def load_refusal(command: str) -> Any:
    """Return what answers to a command that only Hugging Face's tool has, None for any other."""
    return _load("compatible.table", "make_refusal")(command)


def find_refusal(extra: str, name: str) -> KernelBuilderError | None:
    """Return the error that says what to install for a command, None if nothing is missing."""
    lacking = [each for each in PACKAGES.get(extra, ()) if find_spec(each) is None]
    if not lacking:
        return None
    want = f"the Python packages {' and '.join(PACKAGES[extra])}"
    fix = f"in its checkout: ./install.sh --{extra}, or pip install './python[{extra}]'"
    problem = Problem(name, f"no {' and no '.join(lacking)}", want, fix)
    return KernelBuilderError(f"`{name}` needs the extra `{extra}`", [problem])


def load_completion() -> None:
    """Let a shell complete values of options, too."""
    _load("authoring.completion", "complete_values")()


def load_added_options(command: str) -> list[Any]:
    """Return the options that extras add to a command."""
    return [_load(*place.split(":")) for place in OPTIONS[command]]


def find_lost(folder: Path) -> list[Problem]:
    """Return the parts of a project that the draft of a kernel lacks."""
    lost: list[Problem] = _load("porting.lost", "find_lost")(folder)
    return lost


def load_guard() -> Callable[..., Any] | None:
    """Return the function that compares builds, None if its packages are missing."""
    return None if find_refusal("trust", "upload") else _load("trust.version_guard", "check_api")


def _load(module: str, name: str) -> Any:
    return getattr(import_module(f"kernel_builder.{module}"), name)
