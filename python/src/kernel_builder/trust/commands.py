"""`verify`, `sign` and `verify-signature`: variants that others built, or that others get."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.hub.bundle import read_bundle
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain, print_result
from kernel_builder.settings import change_settings


@click.command(short_help="Build what is published again, and compare.")
@click.argument("what", metavar="REPO|DIR")
@click.option("--variant", "names", multiple=True, help="Verify this variant (repeatable).")
@click.option(
    "--source", metavar="ADDRESS|DIR", help="Where the kernel's commit is (default: as published)."
)
@options.allow_vulnerable
@options.sources
def verify(what: str, names: Sequence[str], source: str | None) -> int:
    """Build the variants of REPO or in DIR again, and compare them to the byte.

    REPO is owner/name on the Hub, where the newest version is taken, or owner/name@revision; DIR,
    which begins with / or ., is a variant, a bundle, or a kernel with its variants in build/ or
    result. Each variant says which commit of the kernel it was built from. That commit is data
    (build --untrusted): the library of a trusted builder is applied to it, of the revision in its
    flake.lock if that is one of the same repository. Ends well only if every file of every variant
    of this system, or of those named, is the same.
    """
    from kernel_builder.trust.verify import verify_published

    change_settings(untrusted=True)
    verdict = verify_published(what, names, source)
    for error in verdict["errors"]:
        complain("error", error)
    print_result(verdict, format_verdict(verdict))
    return 0 if verdict["is-good"] else 1


def format_verdict(verdict: Mapping[str, Any]) -> str:
    """Return the result of a verification for people."""
    lines, rebuilt = [verdict["title"]], verdict["rebuilt"]
    for each in rebuilt:
        count = each["differences"]
        same = f"{count} files differ" if count else "the same"
        lines += [f"  {each['variant']} ({each['state']}): {same}"]
        lines += [f"    built from {each['origin']}", f"    with {each['builder']}"]
    others = verdict["not-compared"]
    lines += [f"  {name} is not verified: {why}" for name, why in others.items()]
    lines += [f"  {path}: {how}" for path, how in verdict["differences"].items()]
    lines += [f"  note: {note}" for note in verdict["notes"]]
    count = f"{len(rebuilt)} of {len(rebuilt) + len(others)} variants"
    if verdict["differences"]:
        lines.append("not what its commit gives")
    elif not rebuilt:
        lines.append("nothing is verified")
    elif others:
        lines.append(f"all files of {count} are the same, the others are not verified")
    else:
        lines.append("all files are the same")
    # Names come from strangers.
    return "\n".join(map(show, lines))


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
    from kernel_builder.trust.signing import sign_bundle

    signed = sign_bundle(read_bundle(folder), trust)
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
def verify_signature(
    folder: Path, identity: str, name: str, variants_only: bool, trust: Path | None, **who: str
) -> None:
    """Check the signatures of the variants in DIR (default: this folder).

    DIR is a variant, a folder of variants, a kernel with build/, or what was fetched of a
    repository. What anybody but the one named has signed is refused. Of one variant, or with
    --variants-only, lists of sources, provenance, benchmarks and card are not checked.
    """
    from kernel_builder.trust.signing import check_signatures, describe_signer

    bundle = read_bundle(folder)
    is_alone = variants_only or bundle.root is None
    signer = describe_signer(identity, **who)
    found = check_signatures(bundle, signer, name=name, variants_only=is_alone, trust=trust)
    names = [variant.name for variant in bundle.variants]
    where = f" for {who['repository']}" if who["repository"] else ""
    limits = "; nothing beside them was checked" if is_alone else ""
    print_result(
        {"name": found, "variants": names, "variants-only": is_alone},
        f"{len(names)} variants of {found} are whole, and signed by {identity}{where}{limits}",
    )
