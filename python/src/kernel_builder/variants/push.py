"""Sends everything that was compiled for a kernel to a binary cache or to another store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.errors import read_message
from kernel_builder.nix.log import NixLog
from kernel_builder.nix.quoting import nix_list
from kernel_builder.variants.make import make_path


@dataclass(frozen=True)
class PushResult:
    """`contents` is the store path that refers to all others; the counts are store paths."""

    contents: str
    sent: int
    present: int


def push_contents(kernel: Kernel, variants: Sequence[str], url: str) -> PushResult:
    """Send the output `contents` of the kernel for these variants to `url`.

    `url` is what `nix copy --to` takes. Paths that are there already are not sent, so a push that
    was interrupted can be run again. Raises KernelBuilderError if the store at `url` cannot be
    reached or refuses a path.
    """
    outline = f"f: ({nix.OUTLINE}) (f {nix_list(variants)})"
    contents = make_path(kernel.evaluate("contentsOf", outline), "the contents cannot be listed")
    log = NixLog()
    if nix.copy_to(url, contents, log.read) != 0:
        found = read_message("\n".join(log.errors)) or "a failure without a message"
        want = "a store that can be reached and takes files from you"
        fix = "correct the address or the rights, and run it again (docs/machines.md)"
        problem = Problem(url, found, want, fix)
        raise KernelBuilderError("not everything could be sent", [problem])
    sent = len(log.copied)
    return PushResult(contents, sent, len(nix.list_requisites([contents])) - sent)
