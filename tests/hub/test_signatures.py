"""Signatures are checked, by the public client and by us; each defect has an answer of its own."""

from __future__ import annotations

import json
import shutil
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.hub.built import make_bundle
from tests.hub.signing import ASKED, BUILT, CPU, LISTED, SIGNATURE, Signing
from tests.hub.sigstore_instance import IDENTITY, Instance

# ---- the public client ----


def ask_client(signing: Signing, variant: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    """Return what the client answers, whose trust alone is not its own."""
    from kernels.verify import GitHubWorkflowPolicy, verify_variant
    from sigstore.models import ClientTrustConfig
    from sigstore.verify import Verifier

    root = ClientTrustConfig.from_json(signing.trust.read_text()).trusted_root
    monkeypatch.setattr(Verifier, "production", lambda: Verifier(trusted_root=root))
    policy = GitHubWorkflowPolicy(repo_id="org/tiny", signer_uris=[IDENTITY])
    return verify_variant(variant, [policy])


def test_the_public_client_accepts_it(
    signing: Signing, signed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernels.verify import VerificationResult as Result

    variant = signed / CPU
    assert ask_client(signing, variant, monkeypatch) == Result.Success()
    (variant / "_ops.py").write_text("")
    answer = ask_client(signing, variant, monkeypatch)
    assert isinstance(answer, Result.DigestVerificationFailure)


def test_the_public_client_is_as_strict(
    signing: Signing, signed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kernels.verify import VerificationResult as Result

    variant = signed / CPU
    add_a_space(variant / "metadata.json")
    answer = ask_client(signing, variant, monkeypatch)
    assert isinstance(answer, Result.SignatureVerificationFailure)
    (variant / SIGNATURE).unlink()
    assert ask_client(signing, variant, monkeypatch) == Result.SignatureBundleMissing()


# ---- what is refused, each with its answer ----


def add_a_space(file: Path) -> None:
    file.write_text(file.read_text().replace(":", " :", 1))


def break_certificate(_: Signing, bundle: Path) -> None:
    file = bundle / CPU / SIGNATURE
    data = json.loads(file.read_text())
    data["verificationMaterial"]["certificate"]["rawBytes"] = "AAAA"
    file.write_text(json.dumps(data))


def sign_another(signing: Signing, bundle: Path) -> None:
    """Put the provenance of another build with the same list in the place of this one's."""
    other = make_bundle(bundle.with_name("other"), CPU)
    metadata = other / CPU / "metadata.json"
    metadata.write_text(metadata.read_text() + "\n")
    signing.sign(other)
    shutil.copy(other / BUILT, bundle / BUILT)


def sign_as_another(signing: Signing, bundle: Path) -> None:
    """Let somebody else sign the provenance."""
    own = (bundle / CPU / SIGNATURE).read_bytes()
    signing.instance.claims["repository"] = "org/other"
    signing.sign(bundle)
    (bundle / CPU / SIGNATURE).write_bytes(own)


def sign_late(signing: Signing, bundle: Path) -> None:
    signing.instance.delay = timedelta(hours=2)
    signing.sign(bundle)


def trust_another(signing: Signing, bundle: Path) -> None:
    del bundle
    Instance(signing.instance.url).write_trust(signing.trust)


HERE = f"{CPU}/{SIGNATURE}"
BREAKS: dict[str, tuple[Callable[[Signing, Path], object], str, str]] = {
    "missing": (lambda _, b: (b / CPU / SIGNATURE).unlink(), HERE, "no such file"),
    "no signature": (
        lambda _, b: (b / CPU / SIGNATURE).write_text("{}"),
        HERE, "refused: failed to load bundle",
    ),
    "a broken certificate": (break_certificate, HERE, "refused: error parsing"),
    "other metadata": (
        lambda _, b: add_a_space(b / CPU / "metadata.json"),
        HERE, "refused: Bundle message digest mismatch",
    ),
    "a changed file": (
        lambda _, b: (b / CPU / "_ops.py").write_text("import os\n"),
        CPU, "files that are missing, changed or new: _ops.py",
    ),
    "an expired certificate": (sign_late, HERE, "refused: failed to build timestamp certificate"),
    "another authority": (trust_another, HERE, "refused: failed to build timestamp certificate"),
    "another list": (
        lambda _, b: (b / LISTED).write_text("{}"),
        LISTED, "another SHA-256 than metadata.json states",
    ),
    "the provenance of another build": (
        sign_another, BUILT, f"refused: it is about other files: {CPU}/",
    ),
    "provenance that somebody else has signed": (
        sign_as_another, BUILT, "refused: Certificate's OIDCSourceRepositoryURI does not match",
    ),
    "two signatures swapped": (
        lambda _, b: shutil.copy(b / CPU / SIGNATURE, b / BUILT),
        BUILT, "refused: cannot perform DSSE",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_each_defect_is_refused(name: str, signing: Signing, signed: Path) -> None:
    change, at, found = BREAKS[name]
    assert signing.verify(signed).status == 0
    change(signing, signed)
    done = signing.verify(signed)
    assert done.status == 1
    headline, first, *_ = done.stderr.split("\n\n")
    assert headline.startswith("not signed as asked (")
    assert first.startswith(f"       at     {at}\n       found  {found}")


@pytest.mark.parametrize("option", ["--identity", "--issuer", "--repository"])
def test_somebody_else(option: str, signing: Signing, signed: Path) -> None:
    done = signing.verify(signed, *ASKED, option, "https://github.com/org/other")
    assert done.status == 1
    assert f"at     {HERE}\n       found  refused: Certificate's " in done.stderr
    assert "https://github.com/org/other" in done.stderr


def test_the_public_instance_did_not_sign_it(signing: Signing, signed: Path) -> None:
    # Offline: by what the library itself brings along of that instance.
    done = signing.run("verify-signature", signed, *ASKED, "--offline")
    assert done.status == 1
    assert f"at     {HERE}\n       found  refused: " in done.stderr


def test_without_what_lies_beside_it(signing: Signing, signed: Path) -> None:
    for name in ("provenance", "benchmarks"):
        shutil.rmtree(signed / name)
    assert signing.verify(signed).status == 1
    done = signing.verify(signed, *ASKED, "--variants-only")
    assert done.status == 0
    assert done.stdout.endswith("; nothing beside them was checked\n")


def test_what_the_provenance_says(signed: Path) -> None:
    bundle = json.loads((signed / BUILT).read_text())
    statement = json.loads(b64decode(bundle["dsseEnvelope"]["payload"]))
    assert statement["predicateType"] == "https://slsa.dev/provenance/v1"
    names = {each["name"] for each in statement["subject"]}
    files = {path for path in (signed / CPU).rglob("*") if path.is_file()}
    variant = {path.relative_to(signed).as_posix() for path in files} - {HERE}
    assert names == {*variant, LISTED, "CARD.md", "benchmarks/benchmark.py"}
    build = statement["predicate"]["buildDefinition"]
    assert build["externalParameters"] == {
        "kernel": "tiny", "variant": CPU, "commit": "a" * 40, "dirty": False,
    }  # fmt: skip
    commit, sources = build["resolvedDependencies"]
    assert commit == {"name": "tiny", "digest": {"gitCommit": "a" * 40}}
    assert sources["name"] == LISTED
    assert sources in statement["subject"]
    assert statement["predicate"]["runDetails"]["builder"] == {"id": IDENTITY}
