"""Tells from a build's metadata whether a checkout of the kernel still gives this build.

A commit, or another flake.lock, need not change a build: `id` in the metadata has a hash of the
derivation that links it and of its Python files, and the rest is what build.toml states.
"""

import base64
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from contextvars import copy_context
from typing import Any, Final

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.nix.systems import SYSTEMS, TABLE, find_system, is_for_system
from kernel_builder.settings import change_settings, current_settings
from kernel_builder.variants.result import read_digests

# Keys that only some builds have.
OPTIONAL: Final = ("kernel-depends", "partial", "source", "stand-ins", "torch-wheel", "upstream")
# Identities of the variants in a manifest; flakes of older builders have none.
READ: Final = "it: map (v: { inherit (v) name; identity = v.identity or null; }) it.variants"
Identities = Mapping[str, Any]


def find_changes(
    kernel: Kernel, stated: Mapping[str, Any], local: Identities
) -> dict[str, list[str] | None]:
    """Return what has changed since each build was published, by the names of variants.

    `stated` has their metadata, `local` the identities of the kernel's own system. None means that
    it is not known: the build is of another tool, or the kernel's builder is too old to say.
    """
    changes = {name: list_differences(stated[name], local.get(name)) for name in stated}
    for system in SYSTEMS:
        names = [each for each in stated if each not in local and is_for_system(each, system)]
        # A build for another system may have been made there, or here by cross-compiling.
        for identities in _evaluate_elsewhere(kernel, system) if names else ():
            found = {name: list_differences(stated[name], identities.get(name)) for name in names}
            changes |= {name: found[name] for name in names if not (changes[name] and found[name])}
            if not any(changes[name] for name in names):
                break
    return changes


def _evaluate_elsewhere(kernel: Kernel, system: str) -> Iterator[Identities]:
    """Yield the identities of builds for a system: on a machine of it, and by cross-compiling."""

    def evaluate() -> Any:
        change_settings(nix_options=(*current_settings().nix_options, ("system", system)))
        return kernel.evaluate("manifest", READ)

    ways: list[Callable[[], Any]] = [lambda: copy_context().run(evaluate)]
    if system in TABLE[find_system()]["cross"]:
        ways.append(lambda: kernel.evaluate(f"cross.{system}.manifest", READ))
    for way in ways:
        # Not every flake has outputs for that system.
        with suppress(KernelBuilderError):
            yield {each["name"]: each["identity"] for each in way()}


def list_differences(metadata: Any, identity: Any) -> list[str] | None:
    """Return the names of what differs between the metadata of a build and an identity."""
    provenance = metadata.get("provenance") if isinstance(metadata, dict) else None
    if not identity or not isinstance(provenance, dict) or "kernel-builder" not in provenance:
        return None
    keys = dict.fromkeys((*identity, *OPTIONAL))
    keys.pop("licences", None)
    differing = [key for key in keys if metadata.get(key) != identity.get(key)]
    texts = {name: bytes.fromhex(digest) for name, digest in identity["licences"].items()}
    digests = read_digests(metadata)
    differing += [
        name for name in texts
        if digests.get(f"licenses/{name}") != base64.b64encode(texts[name]).decode()
    ]  # fmt: skip
    return ["sources or tools" if each == "id" else each for each in differing]
