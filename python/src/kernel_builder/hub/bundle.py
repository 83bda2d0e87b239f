"""What is to be uploaded: built variants with their extras, and whether they may be."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from kernel_builder.hub.files import LocalFile, Part, list_folder
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.result import METADATA, find_variants, name_of

# A signature of the metadata, made after the build.
SIGNATURE = f"{METADATA}.sigstore"


@dataclass(frozen=True)
class BuiltVariant:
    """One variant in a folder of its own."""

    name: str
    folder: Path

    @cached_property
    def metadata(self) -> dict[str, Any]:
        file = self.folder / METADATA
        try:
            data = json.loads(file.read_bytes())
        except ValueError as error:
            problem = Problem(str(file), str(error), "a JSON object", "build the variant again")
            raise KernelBuilderError(f"{file} is no JSON", [problem]) from None
        return data if isinstance(data, dict) else {}

    @property
    def dirty(self) -> list[str]:
        """What had changes that no commit has: the kernel, kernel-builder, or both."""
        provenance = self.metadata.get("provenance") or {}
        return sorted(what for what, facts in provenance.items() if facts.get("dirty"))

    @property
    def has_commit(self) -> bool:
        """Say whether it is known from which commit of the kernel it was built."""
        return bool((self.metadata.get("provenance") or {}).get("kernel", {}).get("commit"))

    def check_digest(self) -> list[Problem]:
        """Return a problem if the files are not those that were built."""
        stated = (self.metadata.get("digest") or {}).get("files", {})
        found = {
            path.partition("/")[2]: base64.b64encode(bytes.fromhex(file.sha256)).decode()
            for path, file in list_folder(self.folder, "variant").items()
            if path not in (f"variant/{METADATA}", f"variant/{SIGNATURE}")
        }
        wrong = sorted(name for name in {*stated, *found} if stated.get(name) != found.get(name))
        if not wrong:
            return []
        return [
            Problem(
                at=self.name,
                found="files that are missing, changed or new: " + ", ".join(wrong),
                want=f"exactly the files that {METADATA} states with their hashes",
                fix="build it again; what was built is not edited",
            )
        ]


@dataclass(frozen=True)
class Bundle:
    """Variants, with what is published beside them in `root`, if they have a folder in common."""

    root: Path | None
    variants: tuple[BuiltVariant, ...]

    @property
    def card(self) -> LocalFile | None:
        """The filled card."""
        file = self._beside("CARD.md")
        return LocalFile(file) if file and file.is_file() else None

    @property
    def parts(self) -> list[Part]:
        """What belongs on the branch of a version."""
        return [*map(self._part_of, self.variants), *self._benchmarks()]

    def _part_of(self, variant: BuiltVariant) -> Part:
        files = list_folder(variant.folder, f"build/{variant.name}")
        listed = f"provenance/{variant.name}.cdx.json"
        file = self._beside(listed)
        if file and file.is_file():
            files[listed] = LocalFile(file)
        return Part(variant.name, files, (f"build/{variant.name}/", listed))

    def _benchmarks(self) -> list[Part]:
        folder = self._beside("benchmarks")
        if not folder or not folder.is_dir():
            return []
        return [Part("benchmarks", list_folder(folder, "benchmarks"), ("benchmarks/",))]

    def _beside(self, name: str) -> Path | None:
        return self.root / name if self.root else None

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
    found = find_variants([folder])
    variants = tuple(BuiltVariant(name_of(path), path.resolve()) for path in found)
    root = None if found == [folder] else found[0].parent
    return Bundle(root, variants)


def require_whole(variants: Iterable[BuiltVariant]) -> None:
    """Raise unless every variant is what was built."""
    problems = [problem for variant in variants for problem in variant.check_digest()]
    if problems:
        names = ", ".join(problem.at for problem in problems)
        raise KernelBuilderError(f"what was built has been changed since: {names}", problems)


def require_clean(bundle: Bundle, *, in_git: bool) -> None:
    """Raise if a variant was built from what no commit has.

    Before Nix 2.17 a tree with changes has no commit at all; in a kernel that is in git, a
    missing commit therefore means the same.
    """
    problems = []
    for variant in bundle.variants:
        dirty = variant.dirty or (["kernel"] if in_git and not variant.has_commit else [])
        if dirty:
            problems.append(
                Problem(
                    at=variant.name,
                    found=f"built while {' and '.join(dirty)} had changes that are not committed",
                    want="a build whose sources can be had again",
                    fix="commit, build and upload again; --allow-dirty uploads it as it is",
                )
            )
    if problems:
        headline = f"{len(problems)} of {len(bundle.variants)} variants can be traced to no commit"
        raise KernelBuilderError(headline, problems)
