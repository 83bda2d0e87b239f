"""Checks signatures: the named signer signed exactly these files, of this kernel and variant."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cryptography.x509 import Certificate
from sigstore.errors import CertValidationError, Error, VerificationError
from sigstore.models import Bundle as Signature
from sigstore.models import InvalidBundle
from sigstore.verify import Verifier, policy

from kernel_builder.hub.bundle import (
    LISTED,
    BuiltVariant,
    Bundle,
    find_edits,
    find_other_list,
    find_strays,
)
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.names import show
from kernel_builder.signing.sign import SLSA, explain_errors, list_subjects, read_trust
from kernel_builder.variants.result import BENCHMARKS, CARD, METADATA, SIGNATURE, list_beside

IN_TOTO: Final = "application/vnd.in-toto+json"
AGAIN: Final = "fetch it again; if it stays so, do not use it"


class _SomebodyElseError(VerificationError):
    """The signature is good, and another signer's."""


@dataclass(frozen=True)
class SignatureReport:
    """The kernel's name, its variants, and what is wrong with their signatures."""

    name: str
    variants: list[str]
    problems: list[Problem]
    variants_only: bool

    def as_data(self) -> dict[str, Any]:
        """Return the report as JSON data."""
        found = [each.as_data() for each in self.problems]
        return {"name": self.name, "variants": self.variants, "problems": found}


@dataclass(frozen=True)
class Signer:
    """Who has to have signed. `repository`: the address of the one in whose CI, if that counts."""

    identity: str
    issuer: str
    repository: str = ""

    def __str__(self) -> str:
        where = f" for {self.repository}" if self.repository else ""
        return f"{self.identity}{where}, as {self.issuer} says"

    def verify(self, cert: Certificate) -> None:
        """Raise unless a certificate is the signer's; the library calls this."""
        wanted: list[policy.VerificationPolicy]
        wanted = [policy.Identity(identity=self.identity, issuer=self.issuer)]
        if self.repository:
            wanted.append(policy.OIDCSourceRepositoryURI(self.repository))
        try:
            policy.AllOf(wanted).verify(cert)
        except VerificationError as error:
            raise _SomebodyElseError(str(error)) from None


def check_signatures(
    bundle: Bundle,
    signer: Signer,
    *,
    name: str = "",
    variants_only: bool = False,
    trust: Path | None = None,
    offline: bool = False,
) -> SignatureReport:
    """Check all signatures of a bundle, as `kernel_builder.verify_signatures` describes."""
    variants_only = variants_only or bundle.root is None
    with explain_errors("signatures cannot be checked"):
        verifier = Verifier(trusted_root=read_trust(trust, offline=offline).trusted_root)
    problems = list(find_strays(bundle, variants_only=variants_only))
    names: dict[str, str] = {}
    for variant in bundle.variants:
        file = variant.folder / SIGNATURE

        def check(signature: Signature, metadata: Path = variant.folder / METADATA) -> None:
            verifier.verify_artifact(read_file(metadata), signature, signer)

        # Unsigned metadata is not read.
        if problem := _find_problem(f"{variant.name}/{SIGNATURE}", file, signer, check):
            problems.append(problem)
            continue
        names[variant.name] = show(str(variant.metadata.get("name")))
        problems += _check_variant(variant)
        if not variants_only:
            problems += _check_provenance(bundle, variant, verifier, signer)
    if len({*names.values()}) > 1:
        found = "\n".join(f"{variant}: {kernel}" for variant, kernel in names.items())
        problems.append(Problem("the variants", found, "variants of one kernel", AGAIN))
    for at, kernel in names.items():
        if name and kernel != name:
            problems.append(Problem(at, f"a variant of the kernel {kernel}", name, AGAIN))
    variants = [variant.name for variant in bundle.variants]
    return SignatureReport(next(iter(names.values()), ""), variants, problems, variants_only)


def _check_variant(variant: BuiltVariant) -> Iterator[Problem]:
    """Yield the differences to the metadata, which is signed."""
    stated = variant.metadata.get("variant")
    if stated != variant.name:
        found = f"signed as the variant {show(str(stated))}" if stated else "signed without a name"
        yield Problem(variant.name, found, "a variant in a folder of its own name", AGAIN)
    if edited := find_edits(variant):
        found = "files that are missing, changed or new: " + ", ".join(map(show, edited))
        yield Problem(variant.name, found, f"the files whose hashes {METADATA} has", AGAIN)


def _check_provenance(
    bundle: Bundle, variant: BuiltVariant, verifier: Verifier, signer: Signer
) -> Iterator[Problem]:
    """Yield what is wrong with the list of sources, and with the statement about all files."""
    other = find_other_list(bundle, variant)
    listed = bundle.find_sources(variant)
    if LISTED not in variant.metadata:
        other = f"no hash of it in {METADATA}"
    at, name = list_beside(variant.name)[0], list_beside(variant.name)[-1]
    if other or listed is None:
        want = f"the list of sources whose hash {METADATA} states"
        yield Problem(at, other or "no such file", want, AGAIN)
        return

    def check(signature: Signature) -> None:
        kind, payload = verifier.verify_dsse(signature, signer)
        try:
            statement = json.loads(payload)
            signed = {each["name"]: each["digest"]["sha256"] for each in statement["subject"]}
            if kind != IN_TOTO or statement["predicateType"] != SLSA:
                raise VerificationError("it is no SLSA provenance")
        except (LookupError, TypeError, ValueError, RecursionError) as error:
            raise VerificationError(f"it is no statement: {error!r}") from None
        found = list_subjects(bundle, variant)
        # Benchmarks and the card may have been left behind.
        optional = {each for each in signed if each.startswith((CARD, f"{BENCHMARKS}/"))}
        others = signed.keys() - optional - dict(found).keys()
        others |= {each for each, digest in found if signed.get(each) != digest}
        if others:
            listing = ", ".join(map(show, sorted(others)))
            raise VerificationError(f"it is about other files: {listing}")

    if problem := _find_problem(name, listed.with_name(Path(name).name), signer, check):
        yield problem


def _find_problem(
    at: str, file: Path, signer: Signer, check: Callable[[Signature], None]
) -> Problem | None:
    """Return what is wrong with a signature, which `check` checks."""
    try:
        check(Signature.from_json(read_file(file)))
    except FileNotFoundError:
        fix = "let who built it sign it (kernel-builder sign), or do without the check"
        return Problem(at, "no such file", f"a signature of {signer}", fix)
    except (InvalidBundle, ValueError) as error:
        return Problem(at, f"no signature: {error}", "a bundle of Sigstore", AGAIN)
    except _SomebodyElseError as error:
        fix = "name who has signed, if you trust them; otherwise do not use it"
        return Problem(at, f"a signature of somebody else: {error}", str(signer), fix)
    except CertValidationError as error:
        if "not valid at validation time" in str(error):
            found = f"signed with a certificate that was not valid then: {error}"
            return Problem(at, found, "a certificate in its time", "let it be signed again")
        found = f"a certificate of an unknown authority: {error}"
        fix = "name the instance that has signed with --trust-config, if you trust it"
        return Problem(at, found, "an authority that is trusted", fix)
    except Error as error:
        return Problem(at, f"not what was signed: {error}", "the bytes that were signed", AGAIN)
    return None
