"""Enter a kernel's shells: choose the variant, build the shell if it is missing, and run it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable, Sequence
from typing import Final, NoReturn

from kernel_builder import nix
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.process import replace, run
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError, find_unknown
from kernel_builder.messages.terminal import say
from kernel_builder.variants.make import make_path

VARIABLE: Final = "KERNEL_BUILDER_BACKEND"
OUTLINE: Final = f"shell: ({nix.OUTLINE}) shell.files"


def find_devices(backends: Iterable[str]) -> list[str]:
    """Return those backends whose kernels can run here; the variable overrides that."""
    wanted = list(dict.fromkeys(backends))
    if chosen := os.environ.get(VARIABLE):
        return [backend for backend in wanted if backend == chosen]
    loop = f"for each in {shlex.join(wanted)}; do if has_backend $each; then echo $each; fi; done"
    script = evaluate_library("platforms.presence.script")
    return run(["sh", "-c", f"{script}\n{loop}"]).stdout.split()


def choose_variant(kernel: Kernel, variant: str | None) -> str:
    """Return the requested variant, or the first one whose backend is on this machine.

    Raises UsageError if the kernel has no such variant for this system. An output of a variant that
    cannot be built or run here says so itself.
    """
    offered = kernel.evaluate("authorVariants")
    if not offered:
        fix = "work on a machine of another system, or see kernel-builder list-variants"
        problem = Problem(str(kernel.folder), "no variant for this system", "at least one", fix)
        raise KernelBuilderError(f"{kernel.folder.name} has no variant for this system", [problem])
    names = [str(each["name"]) for each in offered]
    if variant is not None:
        if problems := find_unknown("--variant", [variant], names):
            raise UsageError("there is no such variant on this system", problems)
        return variant
    present = find_devices(each["backend"] for each in offered)
    return next((str(each["name"]) for each in offered if each["backend"] in present), names[0])


def enter_shell(
    kernel: Kernel, shells: str, variant: str | None, command: Sequence[str]
) -> NoReturn:
    """Replace this process with a shell of the kernel, or with a command that runs in the shell.

    `shells` is the flake's output, `devShells` or `testShells`.
    """
    chosen = choose_variant(kernel, variant)
    outline = kernel.evaluate(f"{shells}.{chosen}", OUTLINE)
    if nix.find_invalid([outline["out"]]):
        say(f"building the shell of {chosen}")
        make_path(outline, f"the shell of {chosen} cannot be built")
    # The shell keeps `.venv` in the kernel's folder.
    os.chdir(kernel.folder)
    replace([f"{outline['out']}/bin/enter", *command])
