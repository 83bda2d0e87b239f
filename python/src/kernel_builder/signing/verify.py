"""Checks signatures: that a build is whole, and comes from whom one thinks it does."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cryptography.x509 import Certificate
from sigstore.errors import CertValidationError, Error, VerificationError
from sigstore.models import Bundle as Signature
from sigstore.models import InvalidBundle
from sigstore.verify import Verifier, policy

from kernel_builder.hub.bundle import SIGNATURE, BuiltVariant, Bundle
from kernel_builder.messages.errors import Problem
from kernel_builder.signing.sign import state
from kernel_builder.signing.trust import explained, read_trust
from kernel_builder.variants.result import METADATA, SIGNED

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


def verify(bundle: Bundle, signer: Signer, trust: Path | None, *, offline: bool) -> list[Problem]:
    """Return what is wrong with the signatures of the variants."""
    with explained("signatures cannot be checked"):
        verifier = Verifier(trusted_root=read_trust(trust, offline=offline).trusted_root)
    return [
        problem
        for variant in bundle.variants
        for problem in _examine(bundle, variant, verifier, signer)
    ]


def _examine(
    bundle: Bundle, variant: BuiltVariant, verifier: Verifier, signer: Signer
) -> Iterator[Problem]:
    """Yield what is wrong with a variant; what nobody has signed is not looked into."""
    metadata = (variant.folder / METADATA).read_bytes()

    def check_metadata(signature: Signature) -> None:
        verifier.verify_artifact(metadata, signature, signer)

    problem = _judge(
        f"{variant.name}/{SIGNATURE}", variant.folder / SIGNATURE, signer, check_metadata
    )
    if problem:
        yield problem
        return
    if edited := variant.edited:
        found = "files that are missing, changed or new: " + ", ".join(edited)
        yield Problem(variant.name, found, f"the files whose hashes {METADATA} has", AGAIN)
    # No part of a build for upload and client; but whoever wrote it, Python would run it.
    if bytecode := sorted(variant.folder.rglob("*.py[co]")):
        found = "bytecode, which nobody has signed: " + ", ".join(file.name for file in bytecode)
        fix = "remove it: Python makes it anew where it can"
        yield Problem(variant.name, found, "what was signed alone", fix)
    if listed := bundle.find_sources(variant):

        def check_list(signature: Signature) -> None:
            kind, payload = verifier.verify_dsse(signature, signer)
            try:
                wanted = state(metadata, listed.read_bytes())
            except ValueError:
                wanted = {}
            if kind != IN_TOTO or json.loads(payload) != wanted:
                raise VerificationError("it is about another list, or another build")

        name = listed.name + SIGNED
        problem = _judge(f"provenance/{name}", listed.with_name(name), signer, check_list)
        if problem:
            yield problem


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
