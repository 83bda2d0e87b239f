"""Built variants, the files published beside them, and differences to the hashes of the build."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import find_below, list_files
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.messages.names import show
from kernel_builder.variants import result
from kernel_builder.variants.sandbox import Sandbox, find_states

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
    def card(self) -> Path | None:
        """The filled card."""
        card = find_below(self.root, result.CARD) if self.root else None
        return card if card and card.exists() else None

    @cached_property
    def sandbox(self) -> dict[str, Sandbox]:
        """Whether each variant was built in Nix's sandbox."""
        return find_states({variant.name: variant.folder for variant in self.variants})

    def list_extras(self, folder: str) -> Iterator[tuple[str, Path]]:
        """Yield the path on the Hub and the file of all below a folder beside variants.

        The Hub has this folder above build/, a build has it beside the variants. Both are listed.
        Raises KernelBuilderError for anything but regular files and folders.
        """
        places = [self.root] if self.root else []
        places += [place.parent for place in places if place.name == "build"]
        for place in places:
            if os.path.lexists(place / folder):
                for name, path in list_files(place / folder).items():
                    yield f"{folder}/{name}", path

    def list_benchmarks(self) -> Iterator[tuple[str, Path]]:
        """Yield the path on the Hub and the file of each benchmark, of every copy."""
        return self.list_extras(result.BENCHMARKS)

    def list_variant(self, variant: BuiltVariant) -> dict[str, Path]:
        """Return the files of a variant and those beside it by their paths on the Hub.

        Raises KernelBuilderError for anything but regular files and folders.
        """
        files = list_files(variant.folder).items()
        # Of two copies, the one beside the variant counts.
        records = reversed([*self.list_extras(result.PROVENANCE)])
        return {
            **{f"build/{variant.name}/{n}": f for n, f in files if f.suffix not in BYTECODE},
            **{name: file for name, file in records if name in result.list_records(variant.name)},
        }

    def find_sources(self, variant: BuiltVariant) -> Path | None:
        """Return the list of a variant's sources."""
        name, files = result.list_records(variant.name)[0], self.list_extras(result.PROVENANCE)
        return next((file for path, file in files if path == name), None)

    def read_one(self, key: str, fix: str = "build them again") -> Any:
        """Return the value that all variants state under a key. Raises if they differ."""
        stated = [f"{variant.name}: {variant.metadata.get(key)}" for variant in self.variants]
        if len({str(variant.metadata.get(key)) for variant in self.variants}) > 1:
            problem = Problem("the variants", "\n".join(map(show, stated)), f"one {key}", fix)
            raise KernelBuilderError(f"the variants state more than one {key}", [problem])
        return self.variants[0].metadata.get(key)


def read_bundle(folder: Path) -> Bundle:
    """Return the variants in a folder, in its `build/`, or behind its `result`."""
    found = result.list_built_variants([folder])
    variants = tuple(BuiltVariant(result.read_variant_name(path), path) for path in found)
    return Bundle(None if found == [folder.resolve()] else found[0].parent, variants)


def find_other_list(bundle: Bundle, variant: BuiltVariant) -> str | None:
    """Return how the list of sources differs from the hash in the metadata, if it does."""
    stated, listed = variant.metadata.get(LISTED), bundle.find_sources(variant)
    found = listed and {"algorithm": "sha256", "digest": result.hash_as_stated(listed)}
    if stated in (None, found):
        return None
    return f"another SHA-256 than {result.METADATA} states" if listed else "no such file"


def check_files(
    variant: BuiltVariant, fix: str, ignored: tuple[str, ...] = ()
) -> Iterator[Problem]:
    """Yield a problem if files, but those with an `ignored` ending, differ from the metadata."""
    if edited := [path for path in result.find_edits(variant.folder) if not path.endswith(ignored)]:
        found = "files that are missing, changed or new: " + ", ".join(map(show, shorten(edited)))
        want = f"exactly the files that {result.METADATA} states with their hashes"
        yield Problem(variant.name, found, want, fix)


def find_damage(bundle: Bundle) -> Iterator[Problem]:
    """Yield a problem for each variant and list of sources that is not as it was built."""
    for variant in bundle.variants:
        yield from check_files(variant, "build it again", BYTECODE)
        if other := find_other_list(bundle, variant):
            want = f"the list whose hash {result.METADATA} of {variant.name} states"
            yield Problem(result.list_records(variant.name)[0], other, want, "build it again")
