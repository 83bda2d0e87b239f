"""What derivations of others may ask of Nix: a step in the sandbox, or a download by hash.

Nix lets a fixed-output derivation use the network, also that of this machine alone, and hands it
variables of whoever starts it. Only Nix's own downloader gets that here.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import Derivation

DOWNLOADER: Final = "builtin:fetchurl"
# Each of them opens the sandbox, on Linux or on macOS.
OPENINGS: Final = (
    "__noChroot",
    "__impure",
    "__impureHostDeps",
    "__sandboxProfile",
    "__darwinAllowLocalNetworking",
)
PROXIES: Final = frozenset({"http_proxy", "https_proxy", "ftp_proxy", "all_proxy", "no_proxy"})


def require_confined(derivations: Iterable[Derivation]) -> None:
    """Raise KernelBuilderError if one of the derivations would see more than its inputs."""
    problems = [
        Problem(
            each.path,
            found,
            "steps in the sandbox, and downloads of https:// addresses by hash",
            "do not build it, or read its flake first and leave --untrusted out",
        )
        for each in derivations
        for found in _find_openings(each)
    ]
    if problems:
        raise KernelBuilderError("the kernel asks for more than its inputs", problems)


def _find_openings(derivation: Derivation) -> Iterator[str]:
    asked = _read_attributes(derivation)
    for name in OPENINGS:
        if asked.get(name):
            yield f"{name} = {asked[name]!r}"
    features = asked.get("requiredSystemFeatures") or ""
    if "recursive-nix" in (features if isinstance(features, list) else str(features).split()):
        yield "requiredSystemFeatures with recursive-nix"
    if "sourceKind" in asked and not derivation.is_fixed:
        # A walk over what is to be built stops at sources.
        yield "a source without a hash"
    if derivation.builder.startswith("builtin:") and derivation.builder != DOWNLOADER:
        yield f"the builder {derivation.builder}"
    elif derivation.builder == DOWNLOADER:
        addresses = [asked.get("url"), *str(asked.get("urls") or "").split()]
        for address in filter(None, addresses):
            if not str(address).startswith("https://"):
                yield f"a download of {address!r}"
        variables = asked.get("impureEnvVars") or ""
        for name in sorted({*str(variables).split()} - PROXIES):
            yield f"impureEnvVars with {name!r}"
        if not derivation.is_fixed:
            yield "a download without a hash"
    elif derivation.is_fixed and not _is_fetched_here(derivation):
        yield "a fixed-output derivation with a builder of its own, which has the network"


def _is_fetched_here(derivation: Derivation) -> bool:
    """Return whether this program fetches a source itself, so that Nix never starts its builder.

    Nix fetches what has an address, except for archives.
    """
    kind = derivation.environment.get("sourceKind")
    return kind == "archive" or (kind in ("deb", "wheel") and not derivation.environment.get("url"))


def _read_attributes(derivation: Derivation) -> dict[str, Any]:
    """Return what Nix reads of a derivation: its environment, or its structured attributes."""
    environment = dict(derivation.environment)
    structured: Any = json.loads(environment.get("__json", "{}"))
    return {**environment, **(structured if isinstance(structured, dict) else {})}
