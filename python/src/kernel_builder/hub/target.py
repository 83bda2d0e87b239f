"""Choose the repository and branch of an upload, and refuse bundles that must not be uploaded.

`manifest` is the evaluated manifest of the kernel, or None for a folder of variants.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernel_builder.hub import REPOSITORY, UploadOptions
from kernel_builder.hub.bundle import Bundle, find_damage, read_bundle
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import Manifest
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.systems import is_for_system
from kernel_builder.variants.sandbox import require_sandbox


def check_upload(
    kernel: Kernel | None, folder: Path, options: UploadOptions
) -> tuple[Bundle, UploadOptions]:
    """Return the variants of a folder, and the options with repository and branch.

    Raises KernelBuilderError with everything that keeps them from being uploaded.
    """
    manifest = kernel.evaluate("manifest") if kernel else None
    repo_id = choose_repository(options.repo_id, manifest)
    bundle = read_bundle(folder)
    hub = manifest["hub"] if manifest else {}
    branch = options.branch or name_branch(hub, bundle.read_one("version"))
    problems = [*find_damage(bundle)]
    if manifest:
        problems += find_wrong_variants(bundle, manifest, partial=options.partial)
    # A kernel's build/ or result, named alone, is a build of that repository, too; other tools
    # state no commits.
    place = kernel.folder if kernel else folder.absolute().parent
    in_git = bool(kernel or bundle.variants[0].provenance) and find_git_root(place) is not None
    problems += find_untraceable(bundle, allow_dirty=options.allow_dirty, in_git=in_git)
    if problems:
        raise KernelBuilderError("these variants are not uploaded", problems)
    if not options.allow_unsandboxed:
        require_sandbox(bundle.sandbox)
    return bundle, replace(options, repo_id=repo_id, branch=branch)


def choose_repository(option: str, manifest: Manifest | None) -> str:
    """Return the repository to upload to. Raises KernelBuilderError if none is named."""
    chosen = option or (manifest and manifest["hub"]["repo-id"]) or ""
    if re.fullmatch(REPOSITORY, chosen):
        return str(chosen)
    at = "--repo-id" if option else "build.toml, [general.hub] repo-id"
    fix = 'give --repo-id owner/name, or state repo-id = "owner/name" in [general.hub]'
    problem = Problem(at, f'"{chosen}"', "a repository as owner/name", fix)
    raise KernelBuilderError("no repository to upload to is stated", [problem])


def name_branch(hub: Mapping[str, Any], version: Any) -> str:
    """Return the branch of a kernel: that of [general.hub], or v<version>."""
    return str(hub.get("branch") or f"v{version}")


def find_wrong_variants(bundle: Bundle, manifest: Manifest, *, partial: bool) -> Iterator[Problem]:
    """Yield problems for variants that are missing (unless `partial`), or of an older build.

    Nothing is known of variants of other systems, which were built elsewhere.
    """
    if manifest["version"] != (built := bundle.read_one("version")):
        found = f"{manifest['version']} in build.toml, {built} in what was built"
        yield Problem("[general] version", found, "the same", "build again")
    names = [variant.name for variant in bundle.variants]
    known = {each["name"] for each in manifest["variants"]}
    # Other variants are built only by name.
    needed = [each["name"] for each in manifest["variants"] if each.get("bundle", True)]
    if missing := [name for name in needed if name not in names and not partial]:
        fix = "build them (kernel-builder build --require-all), or give --partial"
        want = "every variant of the kernel for this system"
        yield Problem("\n".join(missing), "not built", want, fix)
    if unknown := [it for it in names if it not in known and is_for_system(it, manifest["system"])]:
        want, fix = "variants that build.toml leads to", "remove it, or build again"
        yield Problem("\n".join(unknown), "a variant that is none of the kernel's", want, fix)


def find_untraceable(bundle: Bundle, *, allow_dirty: bool, in_git: bool) -> Iterator[Problem]:
    """Yield problems for variants of a part of their targets, of another Torch, or of no commit.

    Before Nix 2.17 a tree with changes has no commit at all, so in git a missing one means changes.
    """
    for variant in bundle.variants:
        if partial := variant.metadata.get("partial"):
            want, fix = "all targets of build.toml", "build it again, without --capability"
            yield Problem(variant.name, f"built for {' '.join(partial)} alone", want, fix)
        want = "a build with the Torch that its sources lead to, and that its users have"
        fix = "remove it from this folder, or build it where that Torch can be had"
        if wheel := variant.metadata.get("torch-wheel"):
            yield Problem(variant.name, f"not a Hub variant: built with {wheel}", want, fix)
        dirty = sorted(name for name, of in variant.provenance.items() if of.get("dirty"))
        if in_git and not variant.provenance.get("kernel", {}).get("commit"):
            dirty = dirty or ["kernel"]
        if dirty and not allow_dirty:
            found = f"built while {' and '.join(dirty)} had changes that are not committed"
            fix = "commit, build and upload again; --allow-dirty uploads it as it is"
            yield Problem(variant.name, found, "a build of commits", fix)
