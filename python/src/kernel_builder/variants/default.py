"""Chooses the variant that a command works with: one whose device is here."""

import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import explain_absence, explain_unknown, read_left_out
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import nix_string

VARIABLE: Final = "KERNEL_BUILDER_BACKEND"


def find_devices(script: str, backends: Sequence[str]) -> list[str]:
    """Return those backends whose kernels can run here; the variable overrides that.

    `script` is the one of the kernel's library, which knows the devices.
    """
    loop = f"for each in {shlex.join(backends)}; do if has_backend $each; then echo $each; fi; done"
    return run(["sh", "-c", f"{script}\n{loop}"], inherit=(VARIABLE,)).stdout.split()


def choose_variants(
    kernel: Kernel,
    variant: str | None,
    output: str,
    select: str,
    refuse: Callable[[Sequence[str]], KernelBuilderError] | None = None,
) -> Iterator[tuple[str, Any]]:
    """Yield the requested variant, or all of this system: those whose device is here come first.

    Each comes with what `select` gives, a function of Nix from an output of the kernel and the
    variant's name. One evaluation serves the first variant.

    Raises UsageError if the kernel has no such variant for this system, and what `refuse` gives for
    the backends if no variant is requested and none of their devices is here. An output of a
    variant that cannot be built or run here says so itself.
    """

    kernel.warn_of_notes()
    offered, selected, script = _offer_variants(kernel, variant, f"it: ({select}) it.{output}")
    if not offered:
        raise _explain_no_variant(kernel)
    names = [str(each["name"]) for each in offered]
    if variant is not None and variant not in names:
        problems = explain_unknown("--variant", [variant], names, read_left_out(kernel))
        raise UsageError("there is no such variant on this system", problems)
    if variant is None:
        backends = [*dict.fromkeys(each["backend"] for each in offered)]
        present = find_devices(script, backends)
        if refuse and not present:
            raise refuse(backends)
        offered = sorted(offered, key=lambda each: each["backend"] not in present)
        names = [each["name"] for each in offered]
    for name in [variant] if variant else names:
        apply = f"of: ({select}) of {nix_string(name)}"
        yield name, selected.get(name) or kernel.evaluate(output, apply)


def _offer_variants(kernel: Kernel, variant: str | None, select: str) -> Sequence[Any]:
    """Return the variants, what `select` gives for some, and the script that looks for devices."""
    requested = "null" if variant is None else nix_string(variant)
    apply = f"f: f {{ requested = {requested}; select = {select}; }}"
    try:
        found = kernel.evaluate("forMachine", apply)
    except NixError as error:
        if "does not provide attribute" not in error.headline:
            raise
        # flake.lock has an older library.
        script = evaluate_library("outputs.presence.script")
        return kernel.evaluate("authorVariants"), {}, script
    return found["variants"], found["selected"], found["script"]


def _explain_no_variant(kernel: Kernel) -> KernelBuilderError:
    found = "no variant for this system"
    fix = "work on a machine of another system, or see kernel-builder list-variants"
    problems = [
        Problem(str(kernel.folder), f"{found}: {each['found']}", each["want"], fix)
        for each in explain_absence(read_left_out(kernel))
    ] or [Problem(str(kernel.folder), found, "at least one", fix)]
    return KernelBuilderError(f"{kernel.folder.name} has {found}", problems)
