"""Where this repository is: `lock` writes to it, and kernels without a flake need it."""

from __future__ import annotations

import os
from pathlib import Path

from kernel_builder.messages.errors import KernelBuilderError, Problem

VARIABLE = "KERNEL_BUILDER_ROOT"


def _supposed_root() -> Path:
    named = os.environ.get(VARIABLE)
    return Path(named).resolve() if named else Path(__file__).resolve().parents[4]


def is_in_root(folder: Path) -> bool:
    """Say whether a folder is part of this repository, such as an example."""
    return _supposed_root() in folder.parents


def find_root() -> Path:
    """Return the repository's folder: the variable, else the tree that this file is part of."""
    named = os.environ.get(VARIABLE)
    root = _supposed_root()
    if (root / "default.nix").is_file():
        return root
    raise KernelBuilderError(
        "the kernel-builder repository was not found",
        [
            Problem(
                at=f"the variable {VARIABLE}" if named else "the folder above this program",
                found=f"{root} has no default.nix",
                want="a checkout of kernel-builder",
                fix=f"set {VARIABLE} to the checkout's folder",
            )
        ],
    )
