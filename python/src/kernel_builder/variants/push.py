"""Sends everything that was compiled for a kernel to a binary cache or to another store."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem, render
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.errors import NixError, read_message
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
    was interrupted can be run again. Warns if what was sent has no signature. Raises
    KernelBuilderError if the store at `url` cannot be reached or refuses a path.
    """
    asked = f"f: ({nix.OUTLINE}) (f {nix_list(variants)})"
    contents = make_path(kernel.evaluate("contentsOf", asked), "the contents cannot be listed")
    log, progress = NixLog(), Progress()

    def read(line: str) -> None:
        log.read(line)
        progress.show(f"sending to {redact(url)}: {len(log.copied)} paths")

    try:
        status = nix.copy_to(url, contents, read)
    finally:
        progress.close()
    if status != 0:
        said = read_message("\n".join(log.errors)) or "Nix does not say what"
        raise _refuse_push("not everything could be sent", url, said)
    if log.copied and not url.startswith("ssh"):
        _warn_unsigned(url, contents)
    total = len(nix.list_requisites([contents]))
    return PushResult(contents, len(log.copied), total - len(log.copied))


def _refuse_push(headline: str, url: str, found: str) -> KernelBuilderError:
    want = "a cache that can be reached and takes files from you"
    fix = (
        "correct the address or the rights, then run it again: what has arrived stays there "
        "(docs/machines.md)"
    )
    return KernelBuilderError(headline, [Problem(url, found, want, fix)])


def _warn_unsigned(url: str, contents: str) -> None:
    try:
        if nix.is_signed(url, contents):
            return
    except NixError as error:
        raise _refuse_push("what was sent cannot be read back", url, error.headline) from None
    want = "signed paths: other machines take no others, unless they are told to"
    fix = (
        f"nix store sign --recursive --key-file KEY --store URL {contents}, "
        "and from now on push to an address with ?secret-key=KEY"
    )
    problem = Problem(url, f"no signature of {contents}", want, fix)
    complain("warning", render("what was sent is not signed", [problem]))
