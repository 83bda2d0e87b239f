"""What Nix says when it refuses, as an error; what is not the kernel's fault gets a way out."""

from __future__ import annotations

import re
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

MORE_SPACE: Final = (
    "free some space (TMPDIR moves the temporary files) and run this again; "
    "what has arrived is kept"
)
# Of files, and of the database.
_FULL: Final = re.compile(r"No space left on device|database or disk is full")
_NOT_LOADED: Final = re.compile(r"^unable to download '([^']+)'")


class NixError(KernelBuilderError):
    """Nix refused; the message is what Nix said, without the trace."""


class DiskFullError(KernelBuilderError):
    """Nix has no room for what it writes."""


def explain(message: str) -> KernelBuilderError:
    """Return the error that Nix's message is."""
    if _FULL.search(message):
        fix = f"{MORE_SPACE} (docs/troubleshooting/disk-full.md)"
        problem = Problem("/nix, or TMPDIR", message, "room for what Nix writes", fix)
        return DiskFullError("no space left for Nix", [problem])
    if address := _NOT_LOADED.search(message):
        fix = "check the address, the network and its proxy settings, and run this again"
        problem = Problem(address[1], message, "a file at that address", fix)
        return KernelBuilderError("Nix cannot download what it needs", [problem])
    return NixError(message)
