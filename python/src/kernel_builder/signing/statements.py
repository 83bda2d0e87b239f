"""The statements of in-toto that `sign` signs and `verify-signature` compares with the files.

Each names the kernel's variant in its subjects and in its predicate, so that it is of no use beside
another one. https://slsa.dev/spec/v1.0/provenance, https://cyclonedx.org/specification/overview
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from sigstore.dsse import DigestSet, StatementBuilder, Subject
from sigstore.dsse import Statement as Signable

from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.changes import LocalFile
from kernel_builder.machine.files import list_files, read_file
from kernel_builder.variants.result import BENCHMARKS, CARD, METADATA, SIGNATURE

# Docs/signing.md says which parameters a build of this type has.
BUILD_TYPE: Final = "urn:x-kernel-builder:nix-build:v1"
CYCLONEDX: Final = "https://cyclonedx.org/bom"
SLSA: Final = "https://slsa.dev/provenance/v1"


@dataclass(frozen=True)
class Statement:
    """A statement about files: `subjects` maps their names to SHA-256 in hexadecimal."""

    subjects: Mapping[str, str]
    kind: str
    predicate: Mapping[str, Any]

    def build(self) -> Signable:
        """Return the statement as the library signs it."""
        subjects = [
            Subject(name=name, digest=DigestSet({"sha256": digest}))
            for name, digest in self.subjects.items()
        ]
        return StatementBuilder(subjects, self.kind, dict(self.predicate)).build()


def read_statement(payload: bytes) -> Statement:
    """Return a statement that was signed. Raises ValueError if it has another form."""
    try:
        data = json.loads(payload)
        subjects = {each["name"]: each["digest"]["sha256"] for each in data["subject"]}
        if len(subjects) != len(data["subject"]):
            raise ValueError("two subjects have one name")
        return Statement(subjects, data["predicateType"], data["predicate"])
    except (LookupError, TypeError, RecursionError) as error:
        raise ValueError(f"no statement: {error!r}") from None


def describe_sources(variant: BuiltVariant, listed: Path) -> Statement:
    """Return the statement that a variant was made of what a list in CycloneDX says."""
    subject = {f"{variant.name}/{METADATA}": LocalFile(variant.folder / METADATA).sha256}
    return Statement(subject, CYCLONEDX, json.loads(read_file(listed)))


def describe_build(
    variant: BuiltVariant,
    listed: Path,
    builder: str,
    extras: Mapping[str, str] = MappingProxyType({}),
) -> Statement:
    """Return the provenance of a variant; `builder` is the identity that signs it.

    Its subjects are all files of the variant, and `extras`, names and SHA-256 of others.
    """
    files = {f"{variant.name}/{path}": file for path, file in list_files(variant.folder).items()}
    files.pop(f"{variant.name}/{SIGNATURE}", None)
    subjects = {name: LocalFile(file).sha256 for name, file in files.items()}
    metadata, built_by = variant.metadata, variant.provenance.get("kernel-builder", {})
    kernel = variant.provenance.get("kernel", {})
    source = {key: metadata[key] for key in ("source",) if key in metadata}
    commit = {"uri": f"git+{metadata['source']}"} if source else {"name": metadata["name"]}
    commits = [{**commit, "digest": {"gitCommit": kernel["commit"]}}] if "commit" in kernel else []
    components = json.loads(read_file(listed)).get("components", [])
    definition = {
        "buildType": BUILD_TYPE,
        "externalParameters": {
            "kernel": metadata["name"], "variant": variant.name, **source, **kernel
        },
        "internalParameters": {"kernel-builder": built_by},
        "resolvedDependencies": [*commits, *map(_describe_dependency, components)],
    }  # fmt: skip
    run = {"builder": {"id": builder if ":" in builder else f"mailto:{builder}"}}
    return Statement(
        {**subjects, **extras}, SLSA, {"buildDefinition": definition, "runDetails": run}
    )


def list_extras(bundle: Bundle) -> list[tuple[str, str]]:
    """Return name and SHA-256 of the card and the benchmarks beside variants, of each copy.

    A fetched repository has the benchmarks beside `build`, a bundle has them inside.
    """
    if bundle.root is None:
        return []
    root = bundle.root.resolve()
    places = [root, *([root.parent] if root.name == "build" else [])]
    extras = [(CARD, root / CARD)] if (root / CARD).exists() else []
    for folder in (place / BENCHMARKS for place in places):
        found = list_files(folder) if folder.exists() or folder.is_symlink() else {}
        extras += [(f"{BENCHMARKS}/{path}", file) for path, file in found.items()]
    return [(name, LocalFile(file).sha256) for name, file in extras]


def _describe_dependency(component: Mapping[str, Any]) -> dict[str, Any]:
    """Return a component of the list as a resource descriptor of in-toto."""
    digests = {each["alg"]: each["content"] for each in component.get("hashes", ())}
    trees = {
        each["name"]: each["value"]
        for each in component.get("properties", ())
        if each["name"] == "kernel-builder:tree"
    }
    return {
        "name": component["name"],
        **({"uri": component["purl"]} if "purl" in component else {}),
        **({"digest": {"sha256": digests["SHA-256"]}} if "SHA-256" in digests else {}),
        **({"annotations": trees} if trees else {}),
    }
