"""Signs built variants, and checks that the named signer signed exactly these files.

The metadata of a variant is signed, and the provenance of its build as a statement of in-toto
(https://slsa.dev/spec/v1.0/provenance). It needs the library sigstore (extra `sign`).
"""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from cryptography.x509 import SubjectAlternativeName
from sigstore.dsse import DigestSet, Statement, StatementBuilder, Subject
from sigstore.errors import Error, VerificationError
from sigstore.models import Bundle as Signature
from sigstore.models import ClientTrustConfig, InvalidBundle
from sigstore.oidc import IdentityError, IdentityToken, Issuer, detect_credential
from sigstore.sign import SigningContext
from sigstore.verify import Verifier
from sigstore.verify.policy import AllOf, Identity, OIDCSourceRepositoryURI, VerificationPolicy

from kernel_builder.hub.bundle import (
    LISTED,
    BuiltVariant,
    Bundle,
    check_files,
    find_damage,
    find_other_list,
)
from kernel_builder.machine.files import hash_file, read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem, shorten
from kernel_builder.messages.names import show
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import say
from kernel_builder.settings import current_settings
from kernel_builder.trust.strays import find_strays
from kernel_builder.variants import result

# There is no option for it: other users of a machine can read command lines.
TOKEN: Final = "SIGSTORE_ID_TOKEN"
# docs/operations/signing.md lists the parameters of a build of this type.
BUILD_TYPE: Final = "urn:x-kernel-builder:nix-build:v1"
SLSA: Final = "https://slsa.dev/provenance/v1"
# The packages of sigstore, whose errors have no base in common.
LIBRARIES: Final = ("id", "requests", "sigstore", "tuf")
IN_TOTO: Final = "application/vnd.in-toto+json"
AGAIN: Final = "fetch it again; if it stays so, do not use it"


def sign_bundle(bundle: Bundle, trust: Path | None = None) -> dict[str, Any]:
    """Sign the variants of a bundle. Return who signed, and the files of signatures."""
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
                signed = signer.sign_artifact(read_file(variant.folder / result.METADATA))
                names = signed.signing_certificate.extensions
                identity = names.get_extension_for_class(SubjectAlternativeName).value[0].value
                signatures[variant.folder / result.SIGNATURE] = signed
                if listed := bundle.find_sources(variant):
                    statement = describe_build(bundle, variant, listed, str(identity))
                    file = listed.with_name(Path(result.list_records(variant.name)[-1]).name)
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
        if not result.is_signature(path)
    ]
    files += [(result.CARD, bundle.card)] if bundle.card else []
    return [(name, hash_file(file)) for name, file in [*files, *bundle.list_benchmarks()]]


def describe_build(bundle: Bundle, variant: BuiltVariant, listed: Path, identity: str) -> Statement:
    """Return the provenance of a variant that `identity` signs."""
    metadata, kernel = variant.metadata, variant.provenance.get("kernel", {})
    source = {key: metadata[key] for key in ("source",) if key in metadata}
    commit = {"uri": f"git+{metadata['source']}"} if source else {"name": metadata["name"]}
    commits = [{**commit, "digest": {"gitCommit": kernel["commit"]}}] if "commit" in kernel else []
    sbom = {"name": result.list_records(variant.name)[0], "digest": {"sha256": hash_file(listed)}}
    predicate = {
        "buildDefinition": {
            "buildType": BUILD_TYPE,
            "externalParameters": {
                "kernel": metadata["name"], "variant": variant.name, **source, **kernel,
            },
            "internalParameters": {"kernel-builder": variant.provenance.get("kernel-builder", {})},
            "resolvedDependencies": [*commits, sbom],
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
        fix = "see to the identity (docs/operations/signing.md), --trust-config and the network"
        problem = Problem(at, redact(found), want, fix)
        raise KernelBuilderError(headline, [problem]) from None


def describe_signer(identity: str, issuer: str, repository: str) -> VerificationPolicy:
    """Return the rule for who signed; `repository` is the address whose CI did, empty for any."""
    rules: list[VerificationPolicy] = [Identity(identity=identity, issuer=issuer)]
    rules += [OIDCSourceRepositoryURI(repository)] if repository else []
    return AllOf(rules)


def check_signatures(
    bundle: Bundle, signer: VerificationPolicy, name: str, variants_only: bool, trust: Path | None
) -> str:
    """Check that a signer signed exactly the variants of a bundle, and what lies beside them.

    Returns the name of the kernel; `name` is the one that it has to have, empty for any. Raises
    KernelBuilderError, whose problems are files that the signer did not sign, or links.
    """
    with explain_errors("signatures cannot be checked", trust):
        verifier = Verifier(trusted_root=read_trust(trust).trusted_root)
    problems = list(find_strays(bundle, variants_only=variants_only))
    for variant in bundle.variants:
        file = variant.folder / result.SIGNATURE

        def check(signature: Signature, metadata: Path = variant.folder / result.METADATA) -> None:
            verifier.verify_artifact(read_file(metadata), signature, signer)

        # Unsigned metadata is not read.
        if problem := _find_problem(f"{variant.name}/{result.SIGNATURE}", file, check):
            problems.append(problem)
            continue
        kernel, stated = (show(variant.metadata.get(key)) for key in ("name", "variant"))
        if stated != variant.name:
            want = "a variant in a folder of its own name"
            problems.append(Problem(variant.name, f"signed as the variant {stated}", want, AGAIN))
        if name and kernel != name:
            problems.append(Problem(variant.name, f"a variant of the kernel {kernel}", name, AGAIN))
        problems += check_files(variant, AGAIN)
        if not variants_only:
            problems += _check_provenance(bundle, variant, verifier, signer)
    if problems:
        raise KernelBuilderError("not signed as asked", problems)
    bundle.read_one("version", AGAIN)
    return show(bundle.read_one("name", AGAIN))


def _check_provenance(
    bundle: Bundle, variant: BuiltVariant, verifier: Verifier, signer: VerificationPolicy
) -> Iterator[Problem]:
    """Yield what is wrong with the list of sources, and with the statement about all files."""
    at, name = result.list_records(variant.name)
    other, listed = find_other_list(bundle, variant), bundle.find_sources(variant)
    if LISTED not in variant.metadata:
        other = f"no hash of it in {result.METADATA}"
    if other or listed is None:
        want = f"the list of sources whose hash {result.METADATA} states"
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
        optional = {
            each for each in signed if each.startswith((result.CARD, f"{result.BENCHMARKS}/"))
        }
        differ = signed.keys() - optional - dict(found).keys()
        differ |= {each for each, digest in found if signed.get(each) != digest}
        if differ:
            listing = ", ".join(map(show, shorten(sorted(differ))))
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
