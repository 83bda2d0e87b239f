"""Signs built variants: the metadata, which has the hash of every file, and the list of sources."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from typing import Any, Final

from cryptography.x509 import SubjectAlternativeName
from sigstore.dsse import Statement
from sigstore.models import Bundle as Signature
from sigstore.models import ClientTrustConfig
from sigstore.oidc import IdentityError, IdentityToken, Issuer, detect_credential
from sigstore.sign import SigningContext

from kernel_builder.hub.bundle import SIGNATURE, Bundle
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.signing.trust import explained, read_trust
from kernel_builder.variants.result import METADATA, SIGNED

# As others call it. There is no option for it: other users of a machine can read command lines.
TOKEN: Final = "SIGSTORE_ID_TOKEN"


def sign(bundle: Bundle, trust: Path | None) -> dict[str, Any]:
    """Sign each variant, and the list of what it was built from where there is one.

    Returns `identity` and `issuer` of who has signed, and `files`, the signatures.
    """
    _require_writable(bundle)
    made: dict[Path, Signature] = {}
    with explained("the variants cannot be signed"):
        config = read_trust(trust)
        token = _identify(config)
        with SigningContext.from_trust_config(config).signer(token) as signer:
            for variant in bundle.variants:
                say(f"signing {variant.name}")
                metadata = (variant.folder / METADATA).read_bytes()
                made[variant.folder / SIGNATURE] = signer.sign_artifact(metadata)
                if listed := bundle.find_sources(variant):
                    statement = json.dumps(state(metadata, listed.read_bytes()))
                    attested = signer.sign_dsse(Statement(statement.encode()))
                    made[listed.with_name(listed.name + SIGNED)] = attested
    for file, signature in made.items():
        replace_text(file, signature.to_json())
    certificate = next(iter(made.values())).signing_certificate
    names = certificate.extensions.get_extension_for_class(SubjectAlternativeName).value
    files = [str(file) for file in made]
    return {"identity": names[0].value, "issuer": token.federated_issuer, "files": files}


def state(metadata: bytes, listed: bytes) -> dict[str, Any]:
    """Return in in-toto's form that a build was made of what is listed (CycloneDX, as JSON).

    The build is known by its metadata, which has the hashes of all its files.
    """
    digest = {"sha256": hashlib.sha256(metadata).hexdigest()}
    return {
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{"name": METADATA, "digest": digest}],
        "predicateType": "https://cyclonedx.org/bom",
        "predicate": json.loads(listed),
    }


def _require_writable(bundle: Bundle) -> None:
    fix = "kernel-builder build-and-copy, and sign what is in build/"
    problems = [
        Problem(variant.name, f"read-only, {variant.folder}", "files of your own", fix)
        for variant in bundle.variants
        # Not for a root user either: what is in the store is never changed.
        if not variant.folder.stat().st_mode & 0o200
    ]
    if problems:
        raise KernelBuilderError("what is in the store cannot be signed", problems)


def _identify(config: ClientTrustConfig) -> IdentityToken:
    """Return what proves who signs: given, a CI's, or that of somebody at a browser."""
    if raw := os.environ.get(TOKEN) or detect_credential():
        return IdentityToken(raw)
    if not sys.stdin.isatty():
        raise IdentityError("none: this is no CI that proves who it is, and no terminal")
    return Issuer(config.signing_config.get_oidc_url()).identity_token()
