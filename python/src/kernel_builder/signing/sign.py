"""Signs built variants: the metadata, and the provenance of the build as a statement of in-toto.

https://slsa.dev/spec/v1.0/provenance
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cryptography.x509 import SubjectAlternativeName
from sigstore.dsse import DigestSet, Statement, StatementBuilder, Subject
from sigstore.models import Bundle as Signature
from sigstore.models import ClientTrustConfig
from sigstore.oidc import IdentityError, IdentityToken, Issuer, detect_credential
from sigstore.sign import SigningContext

from kernel_builder.hub.bundle import BuiltVariant, Bundle, find_damage
from kernel_builder.machine.files import hash_file, read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import say
from kernel_builder.settings import current_settings
from kernel_builder.variants.result import CARD, METADATA, SIGNATURE, is_signature, list_beside

# There is no option for it: other users of a machine can read command lines.
TOKEN: Final = "SIGSTORE_ID_TOKEN"
# docs/signing.md lists the parameters of a build of this type.
BUILD_TYPE: Final = "urn:x-kernel-builder:nix-build:v1"
SLSA: Final = "https://slsa.dev/provenance/v1"
# The packages of sigstore, whose errors have no base in common.
LIBRARIES: Final = ("id", "requests", "sigstore", "tuf")


def sign_bundle(bundle: Bundle, trust: Path | None = None) -> dict[str, Any]:
    """Sign the variants of a bundle, as `kernel_builder.sign_kernel` describes."""
    problems = [*find_damage(bundle)]
    fix = "kernel-builder build-and-copy, and sign what is in build/"
    problems += [
        Problem(variant.name, f"read-only, {variant.folder}", "files of your own", fix)
        for variant in bundle.variants
        # Not for a root user either: the store is never changed.
        if not variant.folder.stat().st_mode & 0o200
    ]
    if problems:
        raise KernelBuilderError("these variants are not signed", problems)
    signatures: dict[Path, Signature] = {}
    with explain_errors("the variants cannot be signed", trust):
        config = read_trust(trust)
        token = _find_identity(config)
        with SigningContext.from_trust_config(config).signer(token) as signer:
            for variant in bundle.variants:
                say(f"signing {variant.name}")
                signed = signer.sign_artifact(read_file(variant.folder / METADATA))
                names = signed.signing_certificate.extensions
                identity = names.get_extension_for_class(SubjectAlternativeName).value[0].value
                signatures[variant.folder / SIGNATURE] = signed
                if listed := bundle.find_sources(variant):
                    statement = describe_build(bundle, variant, listed, str(identity))
                    file = listed.with_name(Path(list_beside(variant.name)[-1]).name)
                    signatures[file] = signer.sign_dsse(statement)
    for file, signature in signatures.items():
        write_below(file.parent, file.name, signature.to_json().encode())
    files = [str(file) for file in signatures]
    return {"identity": str(identity), "issuer": token.federated_issuer, "files": files}


def list_subjects(bundle: Bundle, variant: BuiltVariant) -> list[tuple[str, str]]:
    """Return name and SHA-256 of all files that belong to a variant, of each copy."""
    files = [
        (path.removeprefix("build/"), file)
        for path, file in bundle.list_variant(variant).items()
        if not is_signature(path)
    ]
    files += [(CARD, bundle.card)] if bundle.card else []
    return [(name, hash_file(file)) for name, file in [*files, *bundle.list_benchmarks()]]


def describe_build(bundle: Bundle, variant: BuiltVariant, listed: Path, identity: str) -> Statement:
    """Return the provenance of a variant that `identity` signs."""
    metadata, kernel = variant.metadata, variant.provenance.get("kernel", {})
    source = {key: metadata[key] for key in ("source",) if key in metadata}
    commit = {"uri": f"git+{metadata['source']}"} if source else {"name": metadata["name"]}
    commits = [{**commit, "digest": {"gitCommit": kernel["commit"]}}] if "commit" in kernel else []
    sources = {"name": list_beside(variant.name)[0], "digest": {"sha256": hash_file(listed)}}
    predicate = {
        "buildDefinition": {
            "buildType": BUILD_TYPE,
            "externalParameters": {
                "kernel": metadata["name"], "variant": variant.name, **source, **kernel,
            },
            "internalParameters": {"kernel-builder": variant.provenance.get("kernel-builder", {})},
            "resolvedDependencies": [*commits, sources],
        },
        "runDetails": {"builder": {"id": identity if ":" in identity else f"mailto:{identity}"}},
    }  # fmt: skip
    subjects = dict(reversed(list_subjects(bundle, variant)))
    named = [Subject(name=name, digest=DigestSet({"sha256": subjects[name]})) for name in subjects]
    return StatementBuilder(named, SLSA, predicate).build()


def _find_identity(config: ClientTrustConfig) -> IdentityToken:
    """Return a token that says who signs: given, of a CI, or of a login with a browser."""
    if raw := os.environ.get(TOKEN) or detect_credential():
        return IdentityToken(raw)
    if not sys.stdin.isatty():
        raise IdentityError("no CI that proves who it is, and no terminal for a login")
    return Issuer(config.signing_config.get_oidc_url()).identity_token()


def read_trust(file: Path | None) -> ClientTrustConfig:
    """Return the instance that a file describes, else the public one, renewed unless offline."""
    if file is None:
        return ClientTrustConfig.production(offline=current_settings().offline)
    return ClientTrustConfig.from_json(file.read_text(encoding="utf-8"))


@contextmanager
def explain_errors(headline: str, trust: Path | None) -> Iterator[None]:
    """Turn errors of the library and of Sigstore's services into KernelBuilderError."""
    try:
        yield
    except Exception as error:
        is_theirs = type(error).__module__.partition(".")[0] in LIBRARIES
        if not is_theirs and not isinstance(error, ValueError):
            raise
        found = f"{type(error).__name__}: {error} {error.__cause__ or ''}".strip()
        at, want = f"Sigstore, {trust or 'the public instance'}", "a signer, and answers"
        fix = "see to the identity (docs/signing.md), --trust-config, the network and its proxies"
        problem = Problem(at, redact(found), want, fix)
        raise KernelBuilderError(headline, [problem]) from None
