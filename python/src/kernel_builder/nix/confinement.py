"""Limits for kernels of others: steps in the sandbox, downloads by hash, and a safe Nix.

Nix lets a fixed-output derivation use the network, also that of this machine alone, and gives it
variables of whoever starts it. Only Nix's own downloader may do so here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.advisories import Release, find_advisory
from kernel_builder.nix.derivations import Derivation

DOWNLOADER: Final = "builtin:fetchurl"
# Each of them opens the sandbox, on Linux or on macOS.
_OF_MACOS: Final = ("__impureHostDeps", "__sandboxProfile", "__darwinAllowLocalNetworking")
OPENINGS: Final = ("__noChroot", "__impure", *_OF_MACOS)
PROXIES: Final = frozenset({"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"})
NEWER_NIX: Final = "install a newer Nix (./install.sh --newer-nix, or https://nixos.org/download)"


def require_fixed(release: Release) -> None:
    """Raise KernelBuilderError if this release has a known hole."""
    if advisory := find_advisory(release):
        found = f"{release}, which has {advisory}"
        want = "a Nix without known holes, to build what is not yours"
        fix = f"{NEWER_NIX};\nor accept the risk: --allow-vulnerable-nix"
        problem = Problem("nix --version", found, want, fix)
        raise KernelBuilderError("this Nix is no boundary for kernels of others", [problem])


def require_confined(derivations: Iterable[Derivation]) -> None:
    """Raise KernelBuilderError if one of the derivations would see more than its inputs."""
    want = "steps in the sandbox, and downloads of https:// addresses by hash"
    fix = "do not build it, or read its flake first and leave --untrusted out"
    found = [(each.path, opening) for each in derivations for opening in _find_openings(each)]
    if found:
        problems = [Problem(path, opening, want, fix) for path, opening in found]
        raise KernelBuilderError("the kernel asks for more than its inputs", problems)


def _find_openings(derivation: Derivation) -> Iterator[str]:
    # Nix reads the environment, or structured attributes.
    environment = derivation.environment
    structured = json.loads(environment.get("__json", "{}"))
    attributes: dict[str, Any] = dict(environment)
    attributes |= structured if isinstance(structured, dict) else {}
    for name in OPENINGS:
        if attributes.get(name):
            yield f"{name} = {attributes[name]!r}"
    if "recursive-nix" in _read_words(attributes.get("requiredSystemFeatures")):
        yield "requiredSystemFeatures with recursive-nix"
    if "sourceKind" in attributes and not derivation.is_fixed:
        # A walk over what is to be built stops at sources.
        yield "a source without a hash"
    # Structured attributes make no source.
    kind, is_download = environment.get("sourceKind"), derivation.builder == DOWNLOADER
    if is_download or kind == "archive":
        for address in [attributes.get("url"), *_read_words(attributes.get("urls"))]:
            if address and not str(address).startswith("https://"):
                yield f"a download of {address!r}"
    if is_download:
        for name in sorted({*_read_words(attributes.get("impureEnvVars"))} - PROXIES):
            yield f"impureEnvVars with {name!r}"
        if not derivation.is_fixed:
            yield "a download without a hash"
    elif derivation.builder.startswith("builtin:"):
        yield f"the builder {derivation.builder}"
    elif derivation.is_fixed and kind != "archive":
        # This program fetches sources itself, but Nix starts the builder of what has an address.
        by_name = kind in ("deb", "kernel", "wheel") and not environment.get("url")
        if not by_name:
            yield "a fixed-output derivation with a builder of its own, which has the network"


def _read_words(value: Any) -> list[str]:
    """Return a list of an attribute, which the environment of a builder has as one text."""
    return [str(each) for each in value] if isinstance(value, list) else str(value or "").split()
