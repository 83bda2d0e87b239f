"""Pinned files: what a fixed-output derivation says about where its content comes from."""

from __future__ import annotations

import base64
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Union

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation


@dataclass(frozen=True)
class Target:
    """What has to arrive in the store."""

    derivation: str
    name: str
    store_path: str
    sha256: str


@dataclass(frozen=True)
class Deb:
    """A Debian package; `url` is the snapshot archive's."""

    target: Target
    package: str
    version: str
    architecture: str
    suite: str
    url: str | None

    @property
    def label(self) -> str:
        return f"{self.package} {self.version} ({self.architecture})"


@dataclass(frozen=True)
class Wheel:
    """A Python wheel; `url` is there if a vendor serves it besides the registries."""

    target: Target
    project: str
    version: str
    file: str
    url: str | None

    @property
    def label(self) -> str:
        return self.file


@dataclass(frozen=True)
class Vendor:
    """A file that has an address of its own."""

    target: Target
    url: str | None

    @property
    def label(self) -> str:
        return self.target.name


@dataclass(frozen=True)
class Archive:
    """A tree out of an archive, pinned by what is in it; of a repository, its name and `rev`."""

    target: Target
    file: str
    url: str
    repo: str | None
    rev: str | None

    @property
    def label(self) -> str:
        return self.file


Source = Union[Deb, Wheel, Vendor, Archive]


def _hex_hash(value: str) -> str:
    """Return a hash in hexadecimal; a derivation may also hold the `sha256-…=` form."""
    if value.startswith("sha256-"):
        return base64.b64decode(value[len("sha256-") :]).hex()
    return value.lower()


def sri(sha256: str) -> str:
    """Return a hash in the form in which those of trees are written."""
    return "sha256-" + base64.b64encode(bytes.fromhex(sha256)).decode()


def read_source(derivation: Derivation) -> Source:
    """Return the source that a derivation with coordinates stands for."""
    get = derivation.environment.__getitem__
    url = derivation.environment.get("url") or None
    try:
        target = Target(
            derivation=derivation.path,
            name=get("name"),
            store_path=derivation.outputs["out"],
            sha256=_hex_hash(get("outputHash")),
        )
        kind = get("sourceKind")
        if kind == "deb":
            return Deb(
                target, get("package"), get("version"), get("architecture"), get("suite"), url
            )
        if kind == "wheel":
            return Wheel(target, get("project"), get("version"), get("file"), url)
        if kind == "vendor":
            return Vendor(target, url)
        if kind == "archive":
            more = derivation.environment.get
            return Archive(target, get("file"), get("url"), more("repo"), more("rev"))
    except KeyError as missing:
        raise _unreadable(derivation, f"no {missing}", "all coordinates of its kind") from None
    raise _unreadable(derivation, f'sourceKind "{kind}"', '"archive", "deb", "vendor" or "wheel"')


def _unreadable(derivation: Derivation, found: str, want: str) -> KernelBuilderError:
    fix = (
        "use fetchArchive, fetchDeb, fetchVendor or fetchWheel, which set them; "
        "or update kernel-builder"
    )
    return KernelBuilderError(
        "a source's coordinates cannot be read", [Problem(derivation.path, found, want, fix)]
    )


def collect_sources(unbuilt: Iterable[Derivation]) -> list[Source]:
    """Return the sources among derivations that are to be made, in an order to read."""
    sources = [read_source(each) for each in unbuilt if "sourceKind" in each.environment]
    return sorted(sources, key=lambda source: source.label)
