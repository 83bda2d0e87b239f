"""Signs built variants: the metadata, the list of sources, and the provenance of the build."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any, Final

from cryptography.x509 import SubjectAlternativeName
from sigstore.models import Bundle as Signature
from sigstore.models import ClientTrustConfig
from sigstore.oidc import IdentityError, IdentityToken, Issuer, detect_credential
from sigstore.sign import SigningContext

from kernel_builder.hub.bundle import Bundle
from kernel_builder.machine.files import read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.signing.statements import describe_build, describe_sources, list_extras
from kernel_builder.signing.trust import explained, read_trust
from kernel_builder.variants.result import METADATA, SIGNATURE, list_beside

# As others call it. There is no option for it: other users of a machine can read command lines.
TOKEN: Final = "SIGSTORE_ID_TOKEN"


def sign(bundle: Bundle, trust: Path | None) -> dict[str, Any]:
    """Sign each variant, and with its list of sources the statements about list and build.

    Returns `identity` and `issuer` of who has signed, and `files`, the signatures.
    """
    _require_writable(bundle)
    # Where there are two copies, the first one is in the bundle itself.
    extras = dict(reversed(list_extras(bundle)))
    made: dict[Path, Signature] = {}
    with explained("the variants cannot be signed"):
        config = read_trust(trust)
        token = _identify(config)
        with SigningContext.from_trust_config(config).signer(token) as signer:
            for variant in bundle.variants:
                say(f"signing {variant.name}")
                metadata = read_file(variant.folder / METADATA)
                signature = signer.sign_artifact(metadata)
                identity = _read_identity(signature)
                made[variant.folder / SIGNATURE] = signature
                if listed := bundle.find_sources(variant):
                    _, *names = (
                        listed.with_name(Path(each).name) for each in list_beside(variant.name)
                    )
                    build = describe_build(variant, listed, identity, extras)
                    for file, statement in zip(names, (describe_sources(variant, listed), build)):
                        made[file] = signer.sign_dsse(statement.build())
    for file, signature in made.items():
        write_below(file.parent, file.name, signature.to_json().encode())
    files = [str(file) for file in made]
    return {"identity": identity, "issuer": token.federated_issuer, "files": files}


def _read_identity(signature: Signature) -> str:
    extensions = signature.signing_certificate.extensions
    return str(extensions.get_extension_for_class(SubjectAlternativeName).value[0].value)


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
