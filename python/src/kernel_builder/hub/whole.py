"""Compares built variants with the digests in their metadata: nothing may be missing or new."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.changes import BYTECODE, LocalFile
from kernel_builder.machine.files import list_files, read_file, require_folder
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import (
    BENCHMARKS,
    CARD,
    METADATA,
    PROVENANCE,
    SIGNATURE,
    list_beside,
)

# Beside variants in a folder; `build-and-copy` writes whether each was built in a sandbox.
KNOWN: Final = (BENCHMARKS, CARD, PROVENANCE, "sandbox")
LISTED: Final = "provenance-list"


def read_digests(metadata: Any) -> dict[str, str]:
    """Return the SHA-256 in base64 of each file by its path, as metadata states them."""
    digest = metadata.get("digest") if isinstance(metadata, dict) else None
    files = digest.get("files") if isinstance(digest, dict) else None
    if not digest or not isinstance(files, dict) or digest.get("algorithm") != "sha256":
        return {}
    return {str(path): str(value) for path, value in files.items()}


def find_edits(variant: BuiltVariant) -> list[str]:
    """Return the files of a variant that are missing, changed or new, bytecode included."""
    stated = read_digests(variant.metadata)
    found = {
        path: base64.b64encode(bytes.fromhex(LocalFile(file).sha256)).decode()
        for path, file in list_files(variant.folder).items()
    }
    names = {*stated, *found} - {METADATA, SIGNATURE}
    return sorted(name for name in names if stated.get(name) != found.get(name))


def find_other_list(bundle: Bundle, variant: BuiltVariant) -> str | None:
    """Return how the list of sources differs from the hash that the metadata states, if it does."""
    stated = variant.metadata.get(LISTED)
    if stated is None:
        return None
    listed = bundle.find_sources(variant)
    if listed is None:
        return "no such file"
    digest = base64.b64encode(hashlib.sha256(read_file(listed)).digest()).decode()
    same = stated == {"algorithm": "sha256", "digest": digest}
    return None if same else f"another SHA-256 than {METADATA} states"


def find_strays(bundle: Bundle, *, variants_only: bool) -> Iterator[Problem]:
    """Yield what lies beside variants and is no part of them, such as a folder without metadata.

    Raises KernelBuilderError if a variant's folder, or their folder, is a link.
    """
    if bundle.root is None:
        return
    root, names = bundle.root, {variant.name for variant in bundle.variants}
    fix = "remove it: clients may load it, and no signature covers it"
    if root.name == "build":
        require_folder(root)
    for name in sorted(path.name for path in root.iterdir()):
        if name in names:
            require_folder(root / name)
        elif name not in KNOWN:
            found = f"no {METADATA}, so it is no variant"
            yield Problem(show(name), found, "variants, and what is published beside them", fix)
    known = {Path(path).name for name in names for path in list_beside(name)}
    for folder in (root / PROVENANCE, root.resolve().parent / PROVENANCE):
        if variants_only or not folder.exists() or (folder.parent != root and root.name != "build"):
            continue
        for path in list_files(folder):
            if path not in known:
                at = show(f"{PROVENANCE}/{path}")
                yield Problem(at, "of no variant here", "lists and signatures of the variants", fix)


def require_whole(bundle: Bundle) -> None:
    """Raise unless every variant is what was built, and its list of sources the one of its build.

    Bytecode that an import leaves is no part of a build: it is neither signed nor uploaded.
    """
    problems = []
    for variant in bundle.variants:
        edited = [path for path in find_edits(variant) if not path.endswith(BYTECODE)]
        if edited:
            found = "files that are missing, changed or new: " + show(", ".join(edited))
            want = f"exactly the files that {METADATA} states with their hashes"
            fix = "build it again; what was built is not edited"
            problems.append(Problem(variant.name, found, want, fix))
        if other := find_other_list(bundle, variant):
            want = f"the list whose hash {METADATA} of {variant.name} states"
            fix = "build it again: list and variant are of one build"
            problems.append(Problem(list_beside(variant.name)[0], other, want, fix))
    if problems:
        names = ", ".join(dict.fromkeys(each.at for each in problems))
        raise KernelBuilderError(f"what was built has been changed since: {names}", problems)


def show(name: str) -> str:
    """Return a name of a stranger's as a terminal may get it."""
    return "".join(c if c.isprintable() else "?" for c in name)
