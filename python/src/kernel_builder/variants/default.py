"""Chooses the variant that a command works with: one whose device is here."""

import shlex
from collections.abc import Iterable
from typing import Final

from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import explain_absence, explain_unknown, read_left_out
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError

VARIABLE: Final = "KERNEL_BUILDER_BACKEND"


def find_devices(backends: Iterable[str]) -> list[str]:
    """Return those backends whose kernels can run here; the variable overrides that."""
    wanted = shlex.join(dict.fromkeys(backends))
    loop = f"for each in {wanted}; do if has_backend $each; then echo $each; fi; done"
    script = evaluate_library("outputs.presence.script")
    return run(["sh", "-c", f"{script}\n{loop}"], inherit=(VARIABLE,)).stdout.split()


def choose_variant(kernel: Kernel, variant: str | None) -> str:
    """Return the requested variant, or the first one whose backend is on this machine.

    Raises UsageError if the kernel has no such variant for this system. An output of a variant that
    cannot be built or run here says so itself.
    """
    kernel.warn_of_notes()
    offered = kernel.evaluate("authorVariants")
    if not offered:
        found = "no variant for this system"
        fix = "work on a machine of another system, or see kernel-builder list-variants"
        problems = [
            Problem(str(kernel.folder), f"{found}: {each['found']}", each["want"], fix)
            for each in explain_absence(read_left_out(kernel))
        ] or [Problem(str(kernel.folder), found, "at least one", fix)]
        raise KernelBuilderError(f"{kernel.folder.name} has {found}", problems)
    names = [str(each["name"]) for each in offered]
    if variant is not None:
        if variant not in names:
            problems = explain_unknown("--variant", [variant], names, read_left_out(kernel))
            raise UsageError("there is no such variant on this system", problems)
        return variant
    present = find_devices(each["backend"] for each in offered)
    return next((str(each["name"]) for each in offered if each["backend"] in present), names[0])
