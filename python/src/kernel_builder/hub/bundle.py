"""Built variants, what is published beside them, and whether they are still as they were built."""

from __future__ import annotations

import base64
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import (
    find_below,
    hash_file,
    list_files,
    read_file,
    require_folder,
)
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.variants.result import (
    BENCHMARKS,
    CARD,
    METADATA,
    PROVENANCE,
    SIGNATURE,
    list_beside,
    list_built_variants,
    read_metadata,
    read_variant_name,
)
from kernel_builder.variants.sandbox import Sandbox, find_states

# `build-and-copy` writes into `sandbox` whether each variant was built in one.
KNOWN: Final = (BENCHMARKS, CARD, PROVENANCE, "sandbox")
LISTED: Final = "provenance-list"
# An import leaves these behind. They are no part of a build.
BYTECODE: Final = (".pyc", ".pyo")


@dataclass(frozen=True)
class BuiltVariant:
    """One variant in a folder of its own."""

    name: str
    folder: Path

    @cached_property
    def metadata(self) -> dict[str, Any]:
        """The content of its metadata.json."""
        return read_metadata(self.folder)

    @property
    def provenance(self) -> dict[str, Any]:
        """Commit and changes of the kernel and of kernel-builder."""
        return self.metadata.get("provenance") or {}


@dataclass(frozen=True)
class Bundle:
    """Variants. `root` is the folder that they have in common, None for one variant alone."""

    root: Path | None
    variants: tuple[BuiltVariant, ...]

    @property
    def places(self) -> list[Path]:
        """Folders of what is published beside variants. The Hub has it above build/."""
        root = self.root and self.root.resolve()
        return [] if not root else [root, root.parent] if root.name == "build" else [root]

    @property
    def card(self) -> Path | None:
        """The filled card."""
        card = self.root / CARD if self.root else None
        return card if card and os.path.lexists(card) else None

    @cached_property
    def sandbox(self) -> dict[str, Sandbox]:
        """Whether each variant was built in Nix's sandbox."""
        return find_states({variant.name: variant.folder for variant in self.variants})

    def find_sources(self, variant: BuiltVariant) -> Path | None:
        """Return the list of what a variant was built from."""
        found = (find_below(place, list_beside(variant.name)[0]) for place in self.places)
        return next((path for path in found if path.exists()), None)

    def list_variant(self, variant: BuiltVariant) -> dict[str, Path]:
        """Return the files of a variant and its list of sources by their paths on the Hub.

        Raises KernelBuilderError for anything but regular files and folders.
        """
        files = {
            f"build/{variant.name}/{name}": path
            for name, path in list_files(variant.folder).items()
            if path.suffix not in BYTECODE
        }
        if listed := self.find_sources(variant):
            beside = {name: listed.with_name(Path(name).name) for name in list_beside(variant.name)}
            files |= {name: path for name, path in beside.items() if os.path.lexists(path)}
        return files

    def list_benchmarks(self) -> Iterator[tuple[str, Path]]:
        """Yield the path on the Hub and the file of each benchmark, of every copy."""
        for folder in (place / BENCHMARKS for place in self.places):
            for name, path in (list_files(folder) if os.path.lexists(folder) else {}).items():
                yield f"{BENCHMARKS}/{name}", path

    def list_paths(self) -> list[str]:
        """Return the paths on the Hub of all files that the branch of a version gets."""
        variants = (path for each in self.variants for path in self.list_variant(each))
        return sorted({*variants, *dict(self.list_benchmarks())})

    def read_one(self, key: str) -> Any:
        """Return what all variants state under a key, which has to be the same."""
        stated = {variant.name: variant.metadata.get(key) for variant in self.variants}
        if len(set(stated.values())) == 1:
            return next(iter(stated.values()))
        listed = "\n".join(f"{name}: {value}" for name, value in stated.items())
        fix = "build all of them again, or take the old ones away"
        problem = Problem("the variants", listed, f"one {key} in all variants", fix)
        raise KernelBuilderError(f"the variants state more than one {key}", [problem])


def read_bundle(folder: Path) -> Bundle:
    """Return the variants in a folder, in its `build/`, or behind its `result`."""
    found = list_built_variants([folder])
    variants = tuple(BuiltVariant(read_variant_name(path), path) for path in found)
    return Bundle(None if found == [folder.resolve()] else found[0].parent, variants)


def read_digests(variant: BuiltVariant) -> dict[str, str]:
    """Return the SHA-256 in base64 of each file by path, as the metadata states them."""
    digest = variant.metadata.get("digest")
    digest = digest if isinstance(digest, dict) and digest.get("algorithm") == "sha256" else {}
    files = digest.get("files")
    return files if isinstance(files, dict) else {}


def find_edits(variant: BuiltVariant) -> list[str]:
    """Return the files of a variant that differ from the digests in its metadata."""
    stated = read_digests(variant)
    found = {
        path: base64.b64encode(bytes.fromhex(hash_file(file))).decode()
        for path, file in list_files(variant.folder).items()
    }
    names = {*stated, *found} - {METADATA, SIGNATURE}
    return sorted(name for name in names if stated.get(name) != found.get(name))


def find_other_list(bundle: Bundle, variant: BuiltVariant) -> str | None:
    """Return how the list of sources differs from the hash in the metadata, if it does."""
    stated = variant.metadata.get(LISTED)
    if stated is None:
        return None
    listed = bundle.find_sources(variant)
    if listed is None:
        return "no such file"
    digest = base64.b64encode(hashlib.sha256(read_file(listed)).digest()).decode()
    same = stated == {"algorithm": "sha256", "digest": digest}
    return None if same else f"another SHA-256 than {METADATA} states"


def find_damage(bundle: Bundle) -> list[Problem]:
    """Return problems for variants and lists of sources that are not as they were built.

    Bytecode is ignored: it is neither signed nor uploaded.
    """
    problems = []
    for variant in bundle.variants:
        edited = [path for path in find_edits(variant) if not path.endswith(BYTECODE)]
        if edited:
            found = "files that are missing, changed or new: " + ", ".join(map(show, edited))
            want = f"exactly the files that {METADATA} states with their hashes"
            fix = "build it again; what was built is not edited"
            problems.append(Problem(variant.name, found, want, fix))
        if other := find_other_list(bundle, variant):
            want = f"the list whose hash {METADATA} of {variant.name} states"
            fix = "build it again: list and variant are of one build"
            problems.append(Problem(list_beside(variant.name)[0], other, want, fix))
    return problems


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
    for folder in (place / PROVENANCE for place in bundle.places):
        for path in list_files(folder) if folder.exists() and not variants_only else ():
            if path not in known:
                at = show(f"{PROVENANCE}/{path}")
                yield Problem(at, "of no variant here", "lists and signatures of the variants", fix)
