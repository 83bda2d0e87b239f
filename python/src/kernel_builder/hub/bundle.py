"""What is to be uploaded: built variants with their extras, and whether they may be."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kernel_builder.hub.changes import LocalFile, Part, list_folder
from kernel_builder.machine.files import find_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import (
    list_beside,
    list_built_variants,
    name_of,
    read_metadata,
)
from kernel_builder.variants.sandbox import Sandbox, find_states


@dataclass(frozen=True)
class BuiltVariant:
    """One variant in a folder of its own."""

    name: str
    folder: Path

    @cached_property
    def metadata(self) -> dict[str, Any]:
        return read_metadata(self.folder)

    @property
    def provenance(self) -> dict[str, Any]:
        """What is known of the sources: commit and changes of the kernel and of kernel-builder."""
        return self.metadata.get("provenance") or {}

    @property
    def partial(self) -> list[str]:
        """The targets that it was built for, if not for all of its own."""
        return self.metadata.get("partial") or []


@dataclass(frozen=True)
class Bundle:
    """Variants, with what is published beside them in `root`, if they have a folder in common."""

    root: Path | None
    variants: tuple[BuiltVariant, ...]

    @property
    def card(self) -> LocalFile | None:
        """The filled card."""
        return self._beside("CARD.md")

    @property
    def parts(self) -> list[Part]:
        """What belongs on the branch of a version."""
        parts = []
        for variant in self.variants:
            files = list_folder(variant.folder, f"build/{variant.name}")
            beside = list_beside(variant.name)
            if found := self.find_sources(variant):
                paths = (found.with_name(Path(name).name) for name in beside)
                files |= {
                    name: LocalFile(path)
                    for name, path in zip(beside, paths)
                    if os.path.lexists(path)
                }
            parts.append(Part(variant.name, files, (f"build/{variant.name}/", *beside)))
        if self.root and os.path.lexists(self.root / "benchmarks"):
            files = list_folder(self.root / "benchmarks", "benchmarks")
            parts.append(Part("benchmarks", files, ("benchmarks/",)))
        return parts

    def find_sources(self, variant: BuiltVariant) -> Path | None:
        """Return the list of what a variant was built from; on the Hub, it is beside `build/`."""
        places = (self.root, self.root.parent) if self.root else ()
        found = (find_below(place, list_beside(variant.name)[0]) for place in places)
        return next((path for path in found if path.exists()), None)

    @cached_property
    def sandbox(self) -> dict[str, Sandbox]:
        """Whether each variant was built in Nix's sandbox."""
        return find_states({variant.name: variant.folder for variant in self.variants})

    def _beside(self, name: str) -> LocalFile | None:
        path = self.root / name if self.root else None
        return LocalFile(path) if path and os.path.lexists(path) else None

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
    variants = tuple(BuiltVariant(name_of(path), path) for path in found)
    return Bundle(None if found == [folder.resolve()] else found[0].parent, variants)


def require_complete(bundle: Bundle) -> None:
    """Raise if a variant was built for a part of its targets, to try it."""
    partial = {each.name: targets for each in bundle.variants if (targets := each.partial)}
    if partial:
        want = "variants with all targets that build.toml lists"
        fix = "build it again, without --capability"
        raise KernelBuilderError(
            f"{len(partial)} of {len(bundle.variants)} variants are partial",
            [
                Problem(name, f"built for {' '.join(targets)} alone", want, fix)
                for name, targets in partial.items()
            ],
        )


def require_clean(bundle: Bundle, *, in_git: bool) -> None:
    """Raise if a variant was built from what no commit has.

    Before Nix 2.17 a tree with changes has no commit at all; in a kernel that is in git, a
    missing commit therefore means the same.
    """
    problems = []
    for variant in bundle.variants:
        facts = variant.provenance
        dirty = sorted(what for what in facts if facts[what].get("dirty"))
        if not dirty and in_git and not facts.get("kernel", {}).get("commit"):
            dirty = ["kernel"]
        if dirty:
            found = f"built while {' and '.join(dirty)} had changes that are not committed"
            fix = "commit, build and upload again; --allow-dirty uploads it as it is"
            want = "a build whose sources can be had again"
            problems.append(Problem(variant.name, found, want, fix))
    if problems:
        headline = f"{len(problems)} of {len(bundle.variants)} variants can be traced to no commit"
        raise KernelBuilderError(headline, problems)
