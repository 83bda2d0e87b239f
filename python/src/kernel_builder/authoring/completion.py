"""Complete commands, options and their values in a shell.

A TAB has a tenth of a second, and runs no code of a kernel. The names of variants are therefore
remembered: a process in the background asks for them, as `--untrusted` does, if there are none for
this build.toml yet. The next TAB shows them.
"""

import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import click
import tomli
from click.shell_completion import CompletionItem, ShellComplete, shell_complete

from kernel_builder.commands.group import PROGRAM, cli
from kernel_builder.extras import open_kernel
from kernel_builder.machine import cache
from kernel_builder.machine.files import read_file
from kernel_builder.machine.process import leave_running
from kernel_builder.settings import change_settings

# A process that asks for variants and has not ended by then, in seconds, has died.
LONGEST: Final = 60
_COMPLETE: Final = click.Option.shell_complete


@click.command(short_help="Print the completion script for a shell.")
@click.argument("shell", type=click.Choice(("bash", "fish", "zsh")))
def completions(shell: str) -> None:
    """Print the completion script for SHELL.

    For bash: `source <(kernel-builder completions bash)`.
    """
    shell_complete(cli, {}, PROGRAM, "_KERNEL_BUILDER_COMPLETE", f"{shell}_source")


def complete_values() -> None:
    """Let options complete their values, too, in this process."""
    words: list[str] = []
    get_completions = ShellComplete.get_completions

    def keep_words(
        shell: ShellComplete, args: list[str], incomplete: str
    ) -> list[CompletionItem[str]]:
        words[:] = args
        return get_completions(shell, args, incomplete)

    def complete(
        option: click.Option, context: click.Context, incomplete: str
    ) -> list[CompletionItem[str]]:
        if option.name not in _VALUES:
            return _COMPLETE(option, context, incomplete)
        before, comma, last = incomplete.rpartition(",")
        with suppress(Exception):
            chosen = before.split(",")
            values = [each for each in _VALUES[option.name](words) if each not in chosen]
            found = [each for each in values if each.startswith(last)]
            return [CompletionItem(f"{before}{comma}{each}") for each in found]
        return []

    ShellComplete.get_completions = keep_words  # type: ignore[method-assign, assignment]
    click.Option.shell_complete = complete  # type: ignore[method-assign, assignment]


def _find_folder(words: Sequence[str]) -> Path:
    """Return the folder of the kernel that a line names after its command, or the current one."""
    # click reads no arguments of a line that ends with an option.
    start = next(Path(each) for each in (*words[1:], ".") if Path(each).is_dir()).resolve()
    return next(up for up in (start, *start.parents) if (up / "build.toml").is_file())


def list_variants(words: Sequence[str]) -> Sequence[str]:
    """Return the names of the kernel's variants for this system, if they are known."""
    folder = _find_folder(words)
    status = (folder / "build.toml").stat()
    stamp = [status.st_mtime_ns, status.st_size]
    name = hashlib.sha256(os.fsencode(folder)).hexdigest()
    file = cache.find_folder() / "completion" / f"{name}.json"
    known: dict[str, Any] = {}
    with suppress(OSError, ValueError):
        known = json.loads(file.read_text(encoding="utf-8"))
    if known.get("stamp") != stamp:
        _start_in_background(lambda: remember_variants(folder, file, stamp), file)
    return [str(each) for each in known.get("variants", ())]


def remember_variants(folder: Path, file: Path, stamp: list[int]) -> None:
    """Write the names of a kernel's variants; nothing of the kernel is evaluated or built."""
    change_settings(untrusted=True, allow_vulnerable=True, verbosity=0, offline=True)
    kernel = open_kernel(folder)
    variants = [*kernel.evaluate("archVariants")]
    kernel.close()
    new = file.with_suffix(".new")
    new.write_text(json.dumps({"stamp": stamp, "variants": variants}), encoding="utf-8")
    new.replace(file)


def _start_in_background(task: Callable[[], None], file: Path) -> None:
    """Run a task in a process that outlives this one, unless one for the same file runs."""
    file.parent.mkdir(parents=True, exist_ok=True)
    lock = file.with_suffix(".lock")
    if lock.exists() and time.time() - lock.stat().st_mtime < LONGEST:
        return
    lock.touch()

    def run_task() -> None:
        try:
            task()
        finally:
            lock.unlink(missing_ok=True)

    leave_running(run_task)


def list_backends(words: Sequence[str]) -> Sequence[str]:
    """Return the backends that a kernel's build.toml states, for `init` those of its templates.

    bash takes what it completes for a part of the command, which other texts may change.
    """
    if words[0] == "init":
        from kernel_builder.authoring.init import ALL

        return ALL
    text = read_file(_find_folder(words) / "build.toml").decode()
    return [each for each in tomli.loads(text)["general"]["backends"] if each.isidentifier()]


def list_states(_words: Sequence[str]) -> Sequence[str]:
    """Return the states that `status --fail-on` takes."""
    return ("stale", "missing", "retired", "damaged")


# The values of options, by the options' names in Python.
_VALUES: Final[dict[str | None, Callable[[Sequence[str]], Sequence[str]]]] = {
    "names": list_variants,
    "variant": list_variants,
    "backends": list_backends,
    "failing": list_states,
}
