"""Where an upload goes: stated on the command line, else in build.toml.

What the evaluation of the kernel tells is its `manifest`; there is none of a folder of variants
without a kernel.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kernel_builder.kernel.manifest import Manifest, is_bundled
from kernel_builder.messages.errors import KernelBuilderError, Problem

if TYPE_CHECKING:
    # `build` knows where uploads go, and never reads what is uploaded.
    from kernel_builder.hub.bundle import Bundle

_REPOSITORY = re.compile(r"[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*")


@dataclass(frozen=True)
class Asked:
    """How to upload; where to is empty until it is chosen."""

    repo_id: str
    branch: str
    private: bool
    create_pr: bool
    partial: bool
    allow_dirty: bool
    allow_unsandboxed: bool
    dry_run: bool
    as_json: bool


def choose_repository(option: str, manifest: Manifest | None) -> str:
    """Return the repository to upload to."""
    chosen = option or (manifest and manifest["hub"]["repo-id"])
    if chosen and _REPOSITORY.fullmatch(chosen):
        return str(chosen)
    problem = Problem(
        at="--repo-id" if option else "build.toml, [general.hub] repo-id",
        found=f'"{chosen}"' if chosen else "nothing",
        want="a repository as owner/name",
        fix='give --repo-id owner/name, or state repo-id = "owner/name" in [general.hub]',
    )
    headline = f'"{chosen}" is no repository' if chosen else "no repository to upload to is stated"
    raise KernelBuilderError(headline, [problem])


def choose_branch(option: str, manifest: Manifest | None, bundle: Bundle) -> str:
    """Return the branch to upload to: named, or that of the version."""
    built = bundle.read_one("version")
    version = manifest["version"] if manifest else built
    if version not in (None, built):
        found = f"{version} in build.toml, {built} in what was built"
        problem = Problem("[general] version", found, "the same", "build again")
        headline = f"build.toml states version {version}, but version {built} was built"
        raise KernelBuilderError(headline, [problem])
    if named := option or (manifest and manifest["hub"]["branch"]):
        return str(named)
    if version is None:
        want = "a number: builds go to the branch v<number>"
        fix = "state version = 1, or name a branch with --branch or hub.branch"
        problem = Problem("build.toml, [general] version", "nothing", want, fix)
        raise KernelBuilderError("build.toml states no version", [problem])
    return f"v{built}"


def require_all(bundle: Bundle, manifest: Manifest) -> None:
    """Raise if a variant that bundles of the kernel have is missing."""
    there = {variant.name for variant in bundle.variants}
    variants = manifest["variants"]
    missing = [v["name"] for v in variants if is_bundled(v) and v["name"] not in there]
    if missing:
        want = "every variant of the kernel for this system"
        fix = "build them (kernel-builder build --require-all), or give --partial"
        problem = Problem("\n".join(missing), "not built", want, fix)
        headline = f"{len(missing)} of the kernel's {len(variants)} variants are not there"
        raise KernelBuilderError(headline, [problem])


def require_known(bundle: Bundle, manifest: Manifest) -> None:
    """Raise if there is a variant that the kernel no longer has, left by an older build.

    Of those of other systems, which were built elsewhere and brought here, nothing is known.
    """
    known = {variant["name"] for variant in manifest["variants"]}
    names = [variant.name for variant in bundle.variants]
    here = [each for each in names if each.endswith(manifest["system"]) or each.count("-") == 1]
    if unknown := [name for name in here if name not in known]:
        found = "a variant that is none of the kernel's"
        want = "only variants that build.toml leads to"
        problem = Problem("\n".join(unknown), found, want, "remove it, or build again")
        headline = f"{len(unknown)} variants of an older build are there"
        raise KernelBuilderError(headline, [problem])
