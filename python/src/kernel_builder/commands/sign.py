"""`sign` and `verify-signature`: who has built something."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.messages.terminal import print_result

TRUST: Final = click.option(
    "--trust-config", "trust", metavar="FILE", type=click.Path(path_type=Path),
    help="The instance of Sigstore (default: the public one).",
)  # fmt: skip


@click.command(short_help="Sign what was built.")
@options.kernel_folder
@TRUST
def sign(folder: Path, trust: Path | None) -> None:
    """Sign the built variants in DIR (default: this folder), so that all can see who built them.

    DIR is a kernel with its variants in build/, or a folder of variants. In a CI, the CI proves who
    signs; elsewhere you log in with a browser. Who has signed, and when, stands in a public log for
    ever. Sign before `kernel-builder upload`, which takes the signatures along.
    """
    from kernel_builder.publish import sign_kernel

    signed = sign_kernel(folder, trust=trust)
    words = f"--identity {signed['identity']} --issuer {signed['issuer']}"
    print_result(signed, f"signed; this checks it:\n  kernel-builder verify-signature {words}")


@click.command(short_help="Check who has built something, and that it is whole.")
@options.kernel_folder
@click.option("--identity", required=True, help="The signer: a workflow, or a mail address.")
@click.option("--issuer", required=True, metavar="URL", help="The service that proved it.")
@click.option("--repository", metavar="URL", default="", help="The repository whose CI signed.")
@click.option("--name", metavar="KERNEL", default="", help="The name of the kernel.")
@click.option("--variants-only", is_flag=True, help="Check nothing that lies beside the variants.")
@TRUST
def verify_signature(folder: Path, **asked: Any) -> None:
    """Check the signatures of the variants in DIR (default: this folder).

    DIR is a variant, a folder of variants, a kernel with build/, or what was fetched of a
    repository. What anybody but the one named has signed is refused. Of one variant, or with
    --variants-only, lists of sources, provenance, benchmarks and card are not checked.
    """
    from kernel_builder.publish import verify_signatures

    report = verify_signatures(folder, **asked)
    where = f" for {asked['repository']}" if asked["repository"] else ""
    beside = "; nothing beside them was checked" if report["variants-only"] else ""
    count = f"{len(report['variants'])} variants of {report['name']}"
    print_result(report, f"{count} are whole, and signed by {asked['identity']}{where}{beside}")
