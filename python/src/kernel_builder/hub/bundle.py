"""Built variants, the files published beside them, and differences to the hashes of the build."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import (
    MAX_TEXT_BYTES,
    find_below,
    list_files,
    read_file,
    require_folder,
)
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.variants import result
from kernel_builder.variants.result import METADATA, find_edits, hash_as_stated, list_beside
from kernel_builder.variants.sandbox import RECORD, STATES, Sandbox, find_states

KNOWN: Final = (result.BENCHMARKS, result.CARD, result.PROVENANCE, STATES)
NO_VARIANT: Final = f"no {METADATA}, so it is no variant"
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
        return result.read_metadata(self.folder)

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
        """Folders of the files beside variants. The Hub has them above build/."""
        root = self.root and self.root.resolve()
        return [] if not root else [root, root.parent] if root.name == "build" else [root]

    @property
    def card(self) -> Path | None:
        """The filled card."""
        card = find_below(self.root, result.CARD) if self.root else None
        return card if card and card.exists() else None

    @cached_property
    def sandbox(self) -> dict[str, Sandbox]:
        """Whether each variant was built in Nix's sandbox."""
        return find_states({variant.name: variant.folder for variant in self.variants})

    def find_beside(self, name: str) -> Path | None:
        """Return a file beside the variants by its path on the Hub. Raises if it is a link."""
        found = (find_below(place, name) for place in self.places)
        return next((path for path in found if path.exists()), None)

    def find_sources(self, variant: BuiltVariant) -> Path | None:
        """Return the list of a variant's sources."""
        return self.find_beside(list_beside(variant.name)[0])

    def list_variant(self, variant: BuiltVariant) -> dict[str, Path]:
        """Return the files of a variant and those beside it by their paths on the Hub.

        Raises KernelBuilderError for anything but regular files and folders.
        """
        files = list_files(variant.folder).items()
        beside = {name: self.find_beside(name) for name in list_beside(variant.name)}
        return {
            **{f"build/{variant.name}/{n}": f for n, f in files if f.suffix not in BYTECODE},
            **{name: file for name, file in beside.items() if file},
        }

    def list_benchmarks(self) -> Iterator[tuple[str, Path]]:
        """Yield the path on the Hub and the file of each benchmark, of every copy."""
        for folder in (place / result.BENCHMARKS for place in self.places):
            for name, path in (list_files(folder) if os.path.lexists(folder) else {}).items():
                yield f"{result.BENCHMARKS}/{name}", path

    def read_one(self, key: str) -> Any:
        """Return the value that all variants state under a key. Raises if they differ."""
        stated = {variant.name: variant.metadata.get(key) for variant in self.variants}
        if len({*stated.values()}) > 1:
            found = "\n".join(f"{name}: {value}" for name, value in stated.items())
            problem = Problem("the variants", found, f"one {key}", "build them again")
            raise KernelBuilderError(f"the variants state more than one {key}", [problem])
        return self.variants[0].metadata.get(key)


def read_bundle(folder: Path) -> Bundle:
    """Return the variants in a folder, in its `build/`, or behind its `result`."""
    found = result.list_built_variants([folder])
    variants = tuple(BuiltVariant(result.read_variant_name(path), path) for path in found)
    return Bundle(None if found == [folder.resolve()] else found[0].parent, variants)


def find_other_list(bundle: Bundle, variant: BuiltVariant) -> str | None:
    """Return how the list of sources differs from the hash in the metadata, if it does."""
    stated = variant.metadata.get(LISTED)
    if stated is None:
        return None
    listed = bundle.find_sources(variant)
    if listed is None:
        return "no such file"
    same = stated == {"algorithm": "sha256", "digest": hash_as_stated(listed)}
    return None if same else f"another SHA-256 than {METADATA} states"


def check_files(
    variant: BuiltVariant, fix: str, ignored: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """Yield a problem if files, but those with an `ignored` ending, differ from the metadata."""
    if edited := [path for path in find_edits(variant.folder) if not path.endswith(ignored)]:
        found = "files that are missing, changed or new: " + ", ".join(map(show, edited))
        want = f"exactly the files that {METADATA} states with their hashes"
        yield Problem(variant.name, found, want, fix)


def find_damage(bundle: Bundle) -> Iterator[Problem]:
    """Yield a problem for each variant and list of sources that is not as it was built."""
    for variant in bundle.variants:
        yield from check_files(variant, "build it again", BYTECODE)
        if other := find_other_list(bundle, variant):
            want = f"the list whose hash {METADATA} of {variant.name} states"
            yield Problem(list_beside(variant.name)[0], other, want, "build it again")


def find_strays(bundle: Bundle, *, variants_only: bool) -> Iterator[Problem]:
    """Yield files and folders beside variants that are no part of them.

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
            yield Problem(show(name), NO_VARIANT, "variants, and files published beside them", fix)
    lists = {Path(path).name for name in names for path in list_beside(name)}
    allowed = {STATES: names} if variants_only else {STATES: names, result.PROVENANCE: lists}
    for beside, known in allowed.items():
        for folder in (place / beside for place in bundle.places):
            for path, file in (list_files(folder) if os.path.lexists(folder) else {}).items():
                is_known = path in known and (beside != STATES or _is_record(file))
                if not is_known:
                    want = "files of the variants here"
                    yield Problem(show(f"{beside}/{path}"), "of no variant here", want, fix)


def _is_record(file: Path) -> bool:
    text = read_file(file, max_bytes=MAX_TEXT_BYTES).decode(errors="replace")
    return RECORD.fullmatch(text) is not None
