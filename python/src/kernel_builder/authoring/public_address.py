"""Find the address of kernel-builder that a new kernel builds with."""

import os
import re
from pathlib import Path
from urllib.parse import quote

from kernel_builder.kernel.builder import PLACEHOLDER, find_flake
from kernel_builder.machine.git import find_address, find_commit, is_git_root


def find_public_address() -> tuple[str, str | None]:
    """Return the flake reference that a new kernel builds with, and its commit if that is known.

    Paths of the store are no addresses: the garbage collector removes them. A checkout without a
    remote on GitHub is at least an address on this machine; anything else gives a placeholder.
    """
    reference = find_flake()
    root = Path(reference)
    if not root.is_absolute():
        pinned = re.fullmatch(r"(github:[^/?]+/[^/?]+)/([0-9a-f]{40})", reference)
        return (reference, pinned[2] if pinned else None)
    if not is_git_root(root):
        return PLACEHOLDER, None
    _, _, repository = (find_address(root) or "").partition("https://github.com/")
    if "/" in repository:
        return f"github:{repository}", find_commit(root)
    return f"git+file://{quote(os.fsencode(root))}", None
