"""`sign` and `verify-signature`: who has built something."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Final

import click

from kernel_builder.commands import options
from kernel_builder.hub.bundle import read_bundle
from kernel_builder.hub.python import SIGSTORE, continue_with_library
from kernel_builder.hub.whole import require_whole
from kernel_builder.messages.errors import KernelBuilderError
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
    bundle = read_bundle(folder)
    require_whole(bundle)
    continue_with_library(sys.argv[1:], SIGSTORE)
    from kernel_builder.signing import sign as signing

    signed = signing.sign(bundle, trust)
    words = f"--identity {signed['identity']} --issuer {signed['issuer']}"
    text = f"signed {len(bundle.variants)} variants; this checks it:\n"
    text += f"  kernel-builder verify-signature {words}"
    click.echo(json.dumps(signed, indent=2) if as_json else text)


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
    bundle = read_bundle(folder)
    continue_with_library(sys.argv[1:], SIGSTORE)
    from kernel_builder.signing.verify import Scope, Signer, verify

    signer = Signer(identity, issuer, repository)
    scope = Scope(name, variants_only or bundle.root is None)
    kernel, problems = verify(bundle, signer, trust, scope, offline=current_settings().offline)
    names = [variant.name for variant in bundle.variants]
    if as_json:
        found = [asdict(each) for each in problems]
        click.echo(json.dumps({"name": kernel, "variants": names, "problems": found}, indent=2))
    elif problems:
        raise KernelBuilderError("not signed as asked", problems)
    else:
        beside = "; nothing beside them was checked" if scope.variants_only else ""
        text = f"{len(names)} variants of {kernel} are whole, and signed by {signer}{beside}"
        click.echo(text)
    return 1 if problems else 0
