"""Finds built variants: a folder may be one, or hold some, as a bundle or `build/` does."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

METADATA: Final = "metadata.json"

# In the store, a hash and the kernel's name stand before it.
_NAME = re.compile(
    r"torch(-stable-abi)?\d+(-cxx11)?-[a-z]+\d*-[a-z0-9_]+-(linux|darwin)$|torch-[a-z]+$"
)


def name_of(variant: Path) -> str:
    """Return a variant's name: that of its folder, or the end of its name in the store."""
    folder = variant.resolve().name
    found = _NAME.search(folder)
    return found.group() if found else folder


def find_variants(folders: Iterable[Path]) -> list[Path]:
    """Return the variants in some folders, each of which has to have one."""
    return [variant for folder in folders for variant in _find(folder)]


def _find(folder: Path) -> list[Path]:
    if (folder / METADATA).is_file():
        return [folder]
    for place in (folder, folder / "build", folder / "result"):
        found = [file.parent for file in sorted(place.glob(f"*/{METADATA}"))]
        if found:
            return found
    raise KernelBuilderError(
        f"{folder} has no built variant",
        [
            Problem(
                at=str(folder),
                found=f"no {METADATA}, neither there nor one folder below",
                want="a variant, a bundle, or a kernel with its bundle in build/ or result",
                fix="build the kernel (kernel-builder build), or correct the path",
            )
        ],
    )
