"""Enters a kernel's shells: chooses the variant, makes what is missing, and becomes the shell."""

from __future__ import annotations

import os
from typing import NoReturn

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.devices import find_devices
from kernel_builder.machine.process import replace
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.terminal import say

OUTLINE = f"shell: ({nix.OUTLINE}) shell.files"


def choose_variant(kernel: Kernel, variant: str | None, *, for_shell: bool) -> str:
    """Return the variant that was asked for, or the first whose backend is on this machine.

    A shell needs a Torch that its Python can import; to compile, any Torch will do.
    """
    offered = [
        each for each in kernel.evaluate("authorVariants") if each["hasShell"] or not for_shell
    ]
    names = [str(each["name"]) for each in offered]
    if variant is not None:
        if problems := find_unknown("--variant", [variant], names):
            headline = f"there is no variant {variant} to work with on this system"
            raise UsageError(headline, problems)
        return variant
    if not offered:
        fix = "kernel-builder list-variants --explain says what each of them lacks"
        found = "no variant that can be built on this system"
        problem = Problem(str(kernel.folder), found, "at least one", fix)
        raise KernelBuilderError(f"no variant of {kernel.folder.name} can be built here", [problem])
    present = find_devices(each["backend"] for each in offered)
    # Compiling needs no device.
    return next((str(each["name"]) for each in offered if each["backend"] in present), names[0])


def enter_shell(kernel: Kernel, shells: str, variant: str | None, command: str | None) -> NoReturn:
    """Become a shell of the kernel; `shells` is `devShells` or `testShells`."""
    chosen = choose_variant(kernel, variant, for_shell=True)
    outline = kernel.evaluate(f"{shells}.{chosen}", OUTLINE)
    if nix.find_invalid([outline["out"]]):
        # Loaded only when there is something to make: a shell is mostly entered again.
        from kernel_builder.variants.make import make_path

        say(f"making the shell of {chosen}")
        make_path(outline, f"the shell of {chosen} cannot be made")
    arguments = ["bash", "-c", command] if command else []
    # The shell makes `.venv` in the kernel's folder.
    os.chdir(kernel.folder)
    replace([f"{outline['out']}/bin/enter", *arguments])
