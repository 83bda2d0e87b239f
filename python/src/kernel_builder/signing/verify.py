"""Checks signatures: that a build is whole, and comes from whom one thinks it does."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from cryptography.x509 import Certificate
from sigstore.errors import CertValidationError, Error, VerificationError
from sigstore.models import Bundle as Signature
from sigstore.models import InvalidBundle
from sigstore.verify import Verifier, policy

from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.whole import LISTED, find_edits, find_other_list, find_strays, show
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import Problem
from kernel_builder.signing.statements import (
    Statement,
    describe_build,
    describe_sources,
    list_extras,
    read_statement,
)
from kernel_builder.signing.trust import explained, read_trust
from kernel_builder.variants.result import BENCHMARKS, CARD, METADATA, SIGNATURE, list_beside

IN_TOTO: Final = "application/vnd.in-toto+json"
AGAIN: Final = "fetch it again; if it stays so, do not use it"


class _SomebodyElseError(VerificationError):
    """The signature is good, and not that of whom it should be."""


@dataclass(frozen=True)
class Signer:
    """Who is to have signed, as a policy of the library."""

    identity: str
    issuer: str
    # The address of the repository in whose CI it was, if that counts.
    repository: str = ""

    def __str__(self) -> str:
        where = f" for {self.repository}" if self.repository else ""
        return f"{self.identity}{where}, as {self.issuer} says"

    def verify(self, cert: Certificate) -> None:
        """Raise unless a certificate is the signer's."""
        wanted: list[policy.VerificationPolicy]
        wanted = [policy.Identity(identity=self.identity, issuer=self.issuer)]
        if self.repository:
            wanted.append(policy.OIDCSourceRepositoryURI(self.repository))
        try:
            policy.AllOf(wanted).verify(cert)
        except VerificationError as error:
            raise _SomebodyElseError(str(error)) from None


@dataclass(frozen=True)
class Scope:
    """Which kernel it has to be (empty: any), and whether only its variants are checked."""

    name: str = ""
    variants_only: bool = False


def verify(
    bundle: Bundle, signer: Signer, trust: Path | None, scope: Scope, *, offline: bool
) -> tuple[str, list[Problem]]:
    """Return the kernel's name, empty unless signed, and what is wrong with the signatures."""
    with explained("signatures cannot be checked"):
        verifier = Verifier(trusted_root=read_trust(trust, offline=offline).trusted_root)
    problems = list(find_strays(bundle, variants_only=scope.variants_only))
    names: dict[str, str] = {}
    for variant in bundle.variants:
        # What nobody has signed is not looked into.
        problem = _check_metadata(variant, verifier, signer)
        if problem:
            problems.append(problem)
            continue
        names[variant.name] = show(str(variant.metadata.get("name")))
        problems += _check_variant(variant)
        if not scope.variants_only:
            problems += _check_beside(bundle, variant, verifier, signer)
    problems += _check_name(names, scope.name)
    return next(iter(names.values()), ""), problems


def _check_metadata(variant: BuiltVariant, verifier: Verifier, signer: Signer) -> Problem | None:
    def check(signature: Signature) -> None:
        verifier.verify_artifact(read_file(variant.folder / METADATA), signature, signer)

    file = variant.folder / SIGNATURE
    return _judge(f"{variant.name}/{SIGNATURE}", file, signer, check)


def _check_variant(variant: BuiltVariant) -> Iterator[Problem]:
    """Yield what is not as the metadata states, which is signed."""
    stated = variant.metadata.get("variant")
    if stated != variant.name:
        found = f"signed as the variant {show(str(stated))}" if stated else "signed without a name"
        yield Problem(variant.name, found, "a variant in a folder of its own name", AGAIN)
    if edited := find_edits(variant):
        found = "files that are missing, changed or new: " + show(", ".join(edited))
        yield Problem(variant.name, found, f"the files whose hashes {METADATA} has", AGAIN)


def _check_name(names: Mapping[str, str], wanted: str) -> Iterator[Problem]:
    """Yield problems unless all variants are of one kernel, and of the one that is wanted."""
    if len({*names.values()}) > 1:
        found = "\n".join(f"{variant}: {name}" for variant, name in names.items())
        yield Problem("the variants", found, "variants of one kernel", AGAIN)
    for variant, name in names.items():
        if wanted and name != wanted:
            yield Problem(variant, f"a variant of the kernel {name}", wanted, AGAIN)


def _check_beside(
    bundle: Bundle, variant: BuiltVariant, verifier: Verifier, signer: Signer
) -> Iterator[Problem]:
    """Yield what is wrong with the list of sources, its signature and the provenance."""
    at, *signatures = list_beside(variant.name)
    other = find_other_list(bundle, variant)
    listed = bundle.find_sources(variant)
    if LISTED not in variant.metadata:
        other = f"no hash of it in {METADATA}"
    if other or listed is None:
        want = f"the list of sources whose hash {METADATA} states"
        yield Problem(at, other or "no such file", want, AGAIN)
        return

    def compare(describe: Callable[[], Statement], signature: Signature) -> None:
        kind, payload = verifier.verify_dsse(signature, signer)
        try:
            signed, wanted = read_statement(payload), describe()
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise VerificationError(f"it cannot be compared: {error!r}") from None
        if kind != IN_TOTO or (signed.kind, signed.predicate) != (wanted.kind, wanted.predicate):
            raise VerificationError("it is about another list, or another build")
        extras = list_extras(bundle) if describe is build else []
        if other := _find_others(signed.subjects, wanted.subjects, extras):
            raise VerificationError(f"it is about other files: {show(', '.join(other))}")

    def sources() -> Statement:
        return describe_sources(variant, listed)

    def build() -> Statement:
        return describe_build(variant, listed, signer.identity)

    for name, describe in zip(signatures, (sources, build)):
        file = listed.with_name(Path(name).name)
        if problem := _judge(name, file, signer, partial(compare, describe)):
            yield problem


def _find_others(
    signed: Mapping[str, str], found: Mapping[str, str], extras: Iterable[tuple[str, str]]
) -> list[str]:
    """Return the files that differ. Benchmarks and the card may have been left behind."""
    optional = {name for name in signed if name == CARD or name.startswith(f"{BENCHMARKS}/")}
    names = {*found, *(signed.keys() - optional)}
    others = {name for name in names if signed.get(name) != found.get(name)}
    return sorted(others | {name for name, digest in extras if signed.get(name) != digest})


def _judge(
    at: str, file: Path, signer: Signer, check: Callable[[Signature], None]
) -> Problem | None:
    """Return what is wrong with a signature."""
    try:
        check(Signature.from_json(file.read_bytes()))
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
