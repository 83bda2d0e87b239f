"""Where this repository is, and what its library and packages give."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kernel_builder import nix
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.quoting import nix_path

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
                fix=f"set {VARIABLE} to the folder of a checkout"
                + ("" if named else "; `pip install` alone brings no library for Nix"),
            )
        ],
    )


def evaluate_library(expression: str) -> Any:
    """Return the value of what the library (`lib`) gives for `.ATTRIBUTE …`."""
    library = f"(import {nix_path(find_root() / 'lib')})"
    return nix.evaluate(["--impure", "--expr", f"{library}.{expression}"])


def evaluate_package(attribute: str, apply: str = nix.OUTLINE) -> Any:
    """Return what `apply` says of one of this system's packages: by default where it is built."""
    packages = f"(import {nix_path(find_root())}).packages.${{builtins.currentSystem}}"
    return nix.evaluate(["--impure", "--expr", f"{packages}.{attribute}"], apply)
