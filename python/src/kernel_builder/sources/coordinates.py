"""Pinned files: what a fixed-output derivation says about where its content comes from."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation
from kernel_builder.sources.coordinate_rules import find_violations

LOCK: Final = "python/bin/lock-pins"


@dataclass(frozen=True)
class Source:
    """What has to arrive in the store, and the address that it has, if any."""

    # The command that pins it anew, where there is one.
    lock: ClassVar[str] = ""

    derivation: str
    name: str
    store_path: str
    sha256: str
    url: str | None

    @property
    def label(self) -> str:
        """What people know it by."""
        return self.name


@dataclass(frozen=True)
class Deb(Source):
    """A Debian package; its address is the snapshot archive's."""

    lock = f"{LOCK} pkgs/sources/debs/pins.json"

    package: str
    version: str
    architecture: str
    suite: str

    @property
    def label(self) -> str:
        return f"{self.package} {self.version} ({self.architecture})"


@dataclass(frozen=True)
class Wheel(Source):
    """A Python wheel; it has an address if a vendor serves it besides the registries."""

    lock = f"{LOCK} pkgs/python/python-packages/pins.json"

    project: str
    version: str
    file: str

    @property
    def label(self) -> str:
        return self.file


@dataclass(frozen=True)
class Vendor(Source):
    """A file that nobody has but the host of its address."""

    url: str


@dataclass(frozen=True)
class Archive(Source):
    """A tree out of an archive, pinned by what is in it; of a repository, its name and `rev`."""

    url: str
    file: str
    repo: str | None = None
    rev: str | None = None

    @property
    def label(self) -> str:
        return self.file


# Each kind by its `sourceKind`; its fields stand in the derivation, too.
KINDS: Final[Mapping[str, Any]] = {
    "archive": Archive,
    "deb": Deb,
    "vendor": Vendor,
    "wheel": Wheel,
}


def read_source(derivation: Derivation) -> Source:
    """Return the source that a derivation with coordinates stands for.

    Raises KernelBuilderError if a coordinate is missing or has another form than its kind demands.
    """
    environment = derivation.environment
    name = environment["sourceKind"]
    kind = KINDS.get(name)
    if kind is None:
        *first, last = (f'"{each}"' for each in KINDS)
        found = f"sourceKind {json.dumps(name)}"
        raise _unreadable(derivation, {found: f"{', '.join(first)} or {last}"})
    own = [each for each in fields(kind)[len(fields(Source)) :] if each.name != "url"]
    wanted = ["name", "outputHash", *(each.name for each in own if each.default is MISSING)]
    wanted += ["url"] if kind in (Archive, Vendor) or environment.get("url") else []
    values = {"out": derivation.outputs.get("out", "")}
    values |= {each.name: environment[each.name] for each in own if each.name in environment}
    values |= {each: environment[each] for each in wanted if each in environment}
    if missing := [each for each in wanted if each not in values]:
        raise _unreadable(derivation, {f"no {each}": "it" for each in missing})
    if violations := find_violations(name, values):
        found_and_wanted = {
            f"{field} = {json.dumps(values[field])}": want for field, want in violations.items()
        }
        raise _unreadable(derivation, found_and_wanted)
    source: Source = kind(
        derivation=derivation.path,
        name=values["name"],
        store_path=values["out"],
        sha256=_hex_hash(values["outputHash"]),
        url=values.get("url"),
        **{each.name: values[each.name] for each in own if each.name in values},
    )
    return source


def _hex_hash(value: str) -> str:
    """Return a hash in hexadecimal; a derivation may also hold the `sha256-…=` form."""
    if value.startswith("sha256-"):
        return base64.b64decode(value[len("sha256-") :]).hex()
    return value.lower()


def sri(sha256: str) -> str:
    """Return a hash in the form in which those of trees are written."""
    return "sha256-" + base64.b64encode(bytes.fromhex(sha256)).decode()


def _unreadable(derivation: Derivation, found: Mapping[str, str]) -> KernelBuilderError:
    """Return the error of fields; `found` maps each to what is wanted in its place."""
    fix = (
        "use fetchArchive, fetchDeb, fetchVendor or fetchWheel, which set them; "
        "or update kernel-builder. Do not build a stranger's kernel that does this"
    )
    problems = [Problem(derivation.path, each, want, fix) for each, want in found.items()]
    return KernelBuilderError("a source's coordinates cannot be read", problems)


def collect_sources(unbuilt: Iterable[Derivation]) -> list[Source]:
    """Return the sources among derivations that are to be made, in an order to read."""
    sources = [read_source(each) for each in unbuilt if "sourceKind" in each.environment]
    return sorted(sources, key=lambda source: source.label)
