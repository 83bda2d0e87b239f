"""Checks signatures: the named signer signed exactly these files, of this kernel and variant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from sigstore.errors import Error, VerificationError
from sigstore.models import Bundle as Signature
from sigstore.models import InvalidBundle
from sigstore.verify import Verifier, policy

from kernel_builder.hub.bundle import (
    LISTED,
    BuiltVariant,
    Bundle,
    check_files,
    find_other_list,
    find_strays,
)
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.signing.sign import SLSA, explain_errors, list_subjects, read_trust
from kernel_builder.variants.result import BENCHMARKS, CARD, METADATA, SIGNATURE, list_beside

IN_TOTO: Final = "application/vnd.in-toto+json"
AGAIN: Final = "fetch it again; if it stays so, do not use it"


def check_signatures(
    bundle: Bundle,
    signer: policy.VerificationPolicy,
    *,
    name: str,
    variants_only: bool,
    trust: Path | None,
) -> str:
    """Check all signatures of a bundle, as `kernel_builder.verify_signatures` describes.

    Returns the name of the kernel.
    """
    with explain_errors("signatures cannot be checked", trust):
        verifier = Verifier(trusted_root=read_trust(trust).trusted_root)
    problems = list(find_strays(bundle, variants_only=variants_only))
    names: dict[str, str] = {}
    for variant in bundle.variants:
        file = variant.folder / SIGNATURE

        def check(signature: Signature, metadata: Path = variant.folder / METADATA) -> None:
            verifier.verify_artifact(read_file(metadata), signature, signer)

        # Unsigned metadata is not read.
        if problem := _find_problem(f"{variant.name}/{SIGNATURE}", file, check):
            problems.append(problem)
            continue
        names[variant.name] = kernel = show(str(variant.metadata.get("name")))
        stated = show(str(variant.metadata.get("variant")))
        if stated != variant.name:
            want = "a variant in a folder of its own name"
            problems.append(Problem(variant.name, f"signed as the variant {stated}", want, AGAIN))
        if name and kernel != name:
            problems.append(Problem(variant.name, f"a variant of the kernel {kernel}", name, AGAIN))
        problems += check_files(variant, AGAIN)
        if not variants_only:
            problems += _check_provenance(bundle, variant, verifier, signer)
    if len({*names.values()}) > 1:
        found = "\n".join(f"{variant}: {kernel}" for variant, kernel in names.items())
        problems.append(Problem("the variants", found, "variants of one kernel", AGAIN))
    if problems:
        raise KernelBuilderError("not signed as asked", problems)
    return next(iter(names.values()))


def _check_provenance(
    bundle: Bundle, variant: BuiltVariant, verifier: Verifier, signer: policy.VerificationPolicy
) -> Iterator[Problem]:
    """Yield what is wrong with the list of sources, and with the statement about all files."""
    at, name = list_beside(variant.name)
    other, listed = find_other_list(bundle, variant), bundle.find_sources(variant)
    if LISTED not in variant.metadata:
        other = f"no hash of it in {METADATA}"
    if other or listed is None:
        want = f"the list of sources whose hash {METADATA} states"
        yield Problem(at, other or "no such file", want, AGAIN)
        return

    def check(signature: Signature) -> None:
        kind, payload = verifier.verify_dsse(signature, signer)
        statement = json.loads(payload)
        signed = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
        if kind != IN_TOTO or statement["predicateType"] != SLSA:
            raise VerificationError("it is no SLSA provenance")
        found = list_subjects(bundle, variant)
        # Benchmarks and the card may have been left behind.
        optional = {each for each in signed if each.startswith((CARD, f"{BENCHMARKS}/"))}
        others = signed.keys() - optional - dict(found).keys()
        others |= {each for each, digest in found if signed.get(each) != digest}
        if others:
            listing = ", ".join(map(show, sorted(others)))
            raise VerificationError(f"it is about other files: {listing}")

    if problem := _find_problem(name, listed.with_name(Path(name).name), check):
        yield problem


def _find_problem(at: str, file: Path, check: Callable[[Signature], None]) -> Problem | None:
    """Return what is wrong with a signature, which `check` checks."""
    want = "a signature by the signer that you name, of these bytes"
    try:
        check(Signature.from_json(read_file(file)))
    except FileNotFoundError:
        return Problem(at, "no such file", want, "let who built it sign it (kernel-builder sign)")
    except (Error, InvalidBundle, LookupError, RecursionError, TypeError, ValueError) as error:
        return Problem(at, f"refused: {error}", want, AGAIN)
    return None
