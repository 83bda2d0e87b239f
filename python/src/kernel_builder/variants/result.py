"""Finds built variants: a folder may be one, or hold some, as a bundle or `build/` does."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say

METADATA: Final = "metadata.json"
# Added to the name of a file, it is that of its signature, made after the build.
SIGNED: Final = ".sigstore"

# What stands before a name in the store.
_HASH = re.compile(r"[0-9a-z]{32}-")


def read_metadata(variant: Path) -> dict[str, Any]:
    """Return what a variant states of itself."""
    file = variant / METADATA
    try:
        data = json.loads(file.read_bytes())
    except ValueError as error:
        problem = Problem(str(file), str(error), "a JSON object", "build the variant again")
        raise KernelBuilderError(f"{file} is no JSON", [problem]) from None
    return data if isinstance(data, dict) else {}


def name_of(variant: Path) -> str:
    """Return a variant's name: that of its folder, in the store without hash and kernel."""
    folder = variant.resolve().name
    if not _HASH.match(folder):
        return folder
    return _HASH.sub("", folder).removeprefix(f"{read_metadata(variant).get('name')}-")


def find_variants(folders: Iterable[Path]) -> list[Path]:
    """Return the variants in some folders, each of which has to have one."""
    return [variant for folder in folders for variant in _find(folder)]


def _find(folder: Path) -> list[Path]:
    if (folder / METADATA).is_file():
        return [folder]
    here = _variants_in(folder)
    if here:
        return here
    places = {
        place: variants
        for place in (folder / "result", folder / "build")
        if (variants := _variants_in(place))
    }
    # `build` makes the link anew each time, and `build-and-copy` touches the folder.
    newest = max(places, key=lambda place: place.lstat().st_mtime_ns, default=None)
    if newest is None:
        raise _nothing_built(folder)
    if len(places) > 1:
        (other,) = set(places) - {newest}
        say(f"taking {newest}, which was built after {other}")
    return places[newest]


def _variants_in(folder: Path) -> list[Path]:
    return [file.parent for file in sorted(folder.glob(f"*/{METADATA}"))]


def _nothing_built(folder: Path) -> KernelBuilderError:
    found = f"no {METADATA}, neither there nor one folder below"
    return KernelBuilderError(
        f"{folder} has no built variant" if folder.exists() else f"{folder} is not there",
        [
            Problem(
                at=str(folder),
                found=found if folder.exists() else "nothing",
                want="a variant, a bundle, or a kernel with its bundle in result or build/",
                fix="build the kernel (kernel-builder build), or correct the path",
            )
        ],
    )
