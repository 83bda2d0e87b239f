"""Where an upload goes: stated on the command line, else in build.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel_builder.hub.bundle import Bundle
from kernel_builder.messages.errors import KernelBuilderError, Problem

_REPOSITORY = re.compile(r"[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*")


@dataclass(frozen=True)
class Stated:
    """What a kernel's build.toml says; all of it may be missing, or the kernel itself."""

    version: int | None = None
    repo_id: str | None = None
    branch: str | None = None
    variants: Sequence[str] | None = None
    # Those of them that a whole bundle has.
    bundled: Sequence[str] | None = None

    @classmethod
    def read(cls, manifest: Mapping[str, Any]) -> Stated:
        """Return what the evaluation of a kernel gave."""
        hub = manifest.get("hub") or {}
        names = [variant["name"] for variant in manifest["variants"]]
        bundled = [v["name"] for v in manifest["variants"] if v.get("bundle", True)]
        return cls(manifest.get("version"), hub.get("repo-id"), hub.get("branch"), names, bundled)


def choose_repository(option: str | None, stated: Stated) -> str:
    """Return the repository to upload to."""
    chosen = option or stated.repo_id
    if chosen and _REPOSITORY.fullmatch(chosen):
        return chosen
    problem = Problem(
        at="--repo-id" if option else "build.toml, [general.hub] repo-id",
        found=f'"{chosen}"' if chosen else "nothing",
        want="a repository as owner/name",
        fix='give --repo-id owner/name, or state repo-id = "owner/name" in [general.hub]',
    )
    headline = f'"{chosen}" is no repository' if chosen else "no repository to upload to is stated"
    raise KernelBuilderError(headline, [problem])


def choose_branch(option: str | None, stated: Stated, bundle: Bundle) -> str:
    """Return the branch to upload to: named, or that of the version."""
    named = option or stated.branch
    built = bundle.read_one("version")
    if stated.version is not None and stated.version != built:
        problem = Problem(
            at="[general] version",
            found=f"{stated.version} in build.toml, {built} in what was built",
            want="the same",
            fix="build again",
        )
        headline = f"build.toml states version {stated.version}, but version {built} was built"
        raise KernelBuilderError(headline, [problem])
    if named:
        return named
    if stated.version is None and stated.variants is not None:
        problem = Problem(
            at="build.toml, [general] version",
            found="nothing",
            want="a number: builds go to the branch v<number>",
            fix="state version = 1, or name a branch with --branch or hub.branch",
        )
        raise KernelBuilderError("build.toml states no version", [problem])
    return f"v{built}"


def require_all(bundle: Bundle, stated: Stated) -> None:
    """Raise if a variant of the kernel is missing."""
    there = {variant.name for variant in bundle.variants}
    missing = [name for name in stated.bundled or () if name not in there]
    if missing:
        problem = Problem(
            at="\n".join(missing),
            found="not built",
            want="every variant of the kernel for this system",
            fix="build them (kernel-builder build --require-all), or give --partial",
        )
        headline = (
            f"{len(missing)} of the kernel's {len(stated.variants or ())} variants are not there"
        )
        raise KernelBuilderError(headline, [problem])


def require_known(bundle: Bundle, stated: Stated, system: str) -> None:
    """Raise if there is a variant that the kernel no longer has, left by an older build."""
    if stated.variants is None:
        return
    here = [v.name for v in bundle.variants if v.name.endswith(system) or v.name.count("-") == 1]
    unknown = [name for name in here if name not in stated.variants]
    if unknown:
        problem = Problem(
            at="\n".join(unknown),
            found="a variant that is none of the kernel's",
            want="only variants that build.toml leads to",
            fix="remove it, or build again",
        )
        headline = f"{len(unknown)} variants of an older build are there"
        raise KernelBuilderError(headline, [problem])
