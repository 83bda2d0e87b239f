"""`sign` and `verify-signature`: who has built something."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import require_library
from kernel_builder.hub.bundle import read_bundle
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import print_json
from kernel_builder.settings import current_settings

TRUST: Final = click.option(
    "--trust-config", "trust", metavar="FILE", type=click.Path(path_type=Path),
    help="The instance of Sigstore (default: the public one).",
)  # fmt: skip


@click.command(short_help="Sign what was built.")
@options.kernel_folder
@TRUST
@options.as_json
def sign(folder: Path, trust: Path | None, as_json: bool) -> None:
    """Sign the built variants in DIR (default: this folder), so that all can see who built them.

    DIR is a kernel with its variants in build/, or a folder of variants. In a CI, the CI proves who
    signs; elsewhere you log in with a browser. Who has signed, and when, stands in a public log for
    ever. Sign before `kernel-builder upload`, which takes the signatures along.
    """
    require_library("sigstore", "sign")
    from kernel_builder.signing.sign import sign_bundle

    bundle = read_bundle(folder)
    signed = sign_bundle(bundle, trust)
    if as_json:
        print_json({"version": 1, **signed})
        return
    words = f"--identity {signed['identity']} --issuer {signed['issuer']}"
    text = f"signed {len(bundle.variants)} variants; this checks it:\n"
    click.echo(f"{text}  kernel-builder verify-signature {words}")


@click.command(short_help="Check who has built something, and that it is whole.")
@options.kernel_folder
@click.option("--identity", required=True, help="Who has to have signed: a workflow, or a mail.")
@click.option("--issuer", required=True, metavar="URL", help="Who has to have proved that.")
@click.option("--repository", metavar="URL", default="", help="Whose CI it has to have been.")
@click.option("--name", metavar="KERNEL", default="", help="Which kernel it has to be.")
@click.option("--variants-only", is_flag=True, help="Check nothing that lies beside the variants.")
@TRUST
@options.as_json
def verify_signature(
    folder: Path,
    identity: str,
    issuer: str,
    repository: str,
    name: str,
    variants_only: bool,
    trust: Path | None,
    as_json: bool,
) -> int:
    """Check the signatures of the variants in DIR (default: this folder).

    DIR is a variant, a folder of variants, a kernel with build/, or what was fetched of a
    repository. What anybody but the one named has signed is refused. Of one variant, or with
    --variants-only, lists of sources, provenance, benchmarks and card are not checked.
    """
    require_library("sigstore", "sign")
    from kernel_builder.signing.verify import Signer, verify_signatures

    bundle = read_bundle(folder)
    signer = Signer(identity, issuer, repository)
    variants_only = variants_only or bundle.root is None
    offline = current_settings().offline
    kernel, problems = verify_signatures(
        bundle, signer, name=name, variants_only=variants_only, trust=trust, offline=offline
    )
    names = [variant.name for variant in bundle.variants]
    if as_json:
        found = [each.as_data() for each in problems]
        print_json({"version": 1, "name": kernel, "variants": names, "problems": found})
    elif problems:
        raise KernelBuilderError("not signed as asked", problems)
    else:
        beside = "; nothing beside them was checked" if variants_only else ""
        count = f"{len(names)} variants of {kernel}"
        click.echo(f"{count} are whole, and signed by {signer}{beside}")
    return 1 if problems else 0
