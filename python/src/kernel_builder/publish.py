"""The functions of `import kernel_builder` that upload, verify and sign built variants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from kernel_builder.api import Folder
from kernel_builder.hub import UploadOptions
from kernel_builder.settings import Settings, current_settings, use_settings


def upload_kernel(
    folder: Folder, options: UploadOptions | None = None, *, settings: Settings | None = None
) -> dict[str, Any]:
    """Upload built variants to the Hub: to the branch of their version, and the card to main.

    Running it again changes only what differs. It needs a token (`hf auth login`, or HF_TOKEN).

    Args:
        folder: A kernel with variants in build/ or result, or with `repo_id` any folder of some.
        options: The options of the upload; None takes all from build.toml.
        settings: Options of Nix and of messages.

    Returns:
        The result of `upload --json`: files added and removed by branch, and changes of the API.

    Raises:
        KernelBuilderError: The variants are not as they were built, incomplete or untraceable; the
            Hub refuses them; or public names of the published version would be gone.
    """
    from kernel_builder.hub.upload import upload_variants
    from kernel_builder.kernel.folder import Kernel

    place, asked = Path(folder), options or UploadOptions()
    with use_settings(settings):
        alone = not (place / "build.toml").is_file() and asked.repo_id
        return upload_variants(None if alone else Kernel(place), place, asked)


def verify_kernel(
    what: Folder,
    *,
    variants: Sequence[str] = (),
    source: str | None = None,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Build published variants again from the commits that they name, and compare every file.

    The kernel is data, and none of its Nix code is evaluated: see docs/operations/verify.md.

    Args:
        what: A folder with variants, or owner/name@revision on the Hub.
        variants: Names of the variants to compare; empty means all of this system.
        source: The address or the folder that has their commits, if not the one that they name.
        settings: Options of Nix and of messages.

    Returns:
        The result of `verify --json`: `is-good`, the variants that were built again, by which
        kernel-builder, the files that differ, and the variants that could not be compared.

    Raises:
        KernelBuilderError: A variant does not name its commit, or the commit cannot be had.
    """
    from kernel_builder.hub.verify import verify_published
    from kernel_builder.variants.table import Limits

    with use_settings(replace(settings or current_settings(), untrusted=True)):
        return verify_published(str(what), variants, source, Limits())


def sign_kernel(
    folder: Folder, *, trust: Path | None = None, settings: Settings | None = None
) -> dict[str, Any]:
    """Sign built variants with the identity of a CI, or of a login with a browser.

    It needs the extra `sign`. Who has signed, and when, stands in a public log for ever.

    Args:
        folder: A kernel with variants in build/, or a folder of variants.
        trust: A client trust config of Sigstore; None is the public instance.
        settings: The amount of messages.

    Returns:
        `identity` and `issuer` of who has signed, and `files`, the paths of the signatures.

    Raises:
        KernelBuilderError: A variant is not as it was built, or Sigstore refuses the identity.
    """
    from kernel_builder.hub.bundle import read_bundle
    from kernel_builder.hub.signing import sign_bundle

    with use_settings(settings):
        return sign_bundle(read_bundle(Path(folder)), trust)


def verify_signatures(
    folder: Folder,
    *,
    identity: str,
    issuer: str,
    repository: str = "",
    name: str = "",
    variants_only: bool = False,
    trust: Path | None = None,
    settings: Settings | None = None,
) -> dict[str, Any]:
    """Check that a signer signed exactly the variants of a folder, and what lies beside them.

    It needs the extra `sign`.

    Args:
        folder: A variant, a folder of variants, or a repository as it was fetched.
        identity: The signer: the address of a workflow, or a mail address.
        issuer: The address of the service that proved the identity.
        repository: The address of the repository whose CI signed; empty: any.
        name: The name of the kernel; empty: any.
        variants_only: Check nothing beside the variants.
        trust: A client trust config of Sigstore; None is the public instance.
        settings: `offline` asks for no news of the public instance.

    Returns:
        `name` of the kernel, its `variants`, and whether nothing else was checked
        (`variants-only`).

    Raises:
        KernelBuilderError: Its `problems` are files that the signer did not sign, or links; or
            nothing can be checked.
    """
    from sigstore.verify import policy

    from kernel_builder.hub.bundle import read_bundle
    from kernel_builder.hub.signing import check_signatures

    signer: list[policy.VerificationPolicy] = [policy.Identity(identity=identity, issuer=issuer)]
    signer += [policy.OIDCSourceRepositoryURI(repository)] if repository else []
    with use_settings(settings):
        bundle = read_bundle(Path(folder))
        alone = variants_only or bundle.root is None
        found = check_signatures(
            bundle, policy.AllOf(signer), name=name, variants_only=alone, trust=trust
        )
    variants = [variant.name for variant in bundle.variants]
    return {"name": found, "variants": variants, "variants-only": alone}
