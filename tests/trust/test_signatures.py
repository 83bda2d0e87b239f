"""Variants are signed and checked: kernel, variant and all of its files, and nothing else."""

import json
import shutil
from base64 import b64decode
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest

from tests.hub.built import make_bundle
from tests.hub.client import REPO, Uploader
from tests.hub.exchange import Hub
from tests.trust.sigstore_instance import (
    ASKED,
    BUILT,
    CPU,
    GITHUB,
    IDENTITY,
    LISTED,
    SIGNATURE,
    SOURCE,
    Instance,
    Signing,
)

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


# ---- what is refused, each with its answer ----


def add_a_space(file: Path) -> None:
    file.write_text(file.read_text().replace(":", " :", 1))


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


HERE = f"{CPU}/{SIGNATURE}"
BREAKS: dict[str, tuple[Callable[[Signing, Path], object], str, str]] = {
    "missing": (lambda _, b: (b / CPU / SIGNATURE).unlink(), HERE, "no such file"),
    "other metadata": (
        lambda _, b: add_a_space(b / CPU / "metadata.json"),
        HERE, "refused: Bundle message digest mismatch",
    ),
    "a changed file": (
        lambda _, b: (b / CPU / "_ops.py").write_text("import os\n"),
        CPU, "files that are missing, changed or new: _ops.py",
    ),
    "an expired certificate": (sign_late, HERE, "refused: failed to build timestamp certificate"),
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


def test_in_a_ci_nothing_has_to_be_said(signing: Signing, bundle: Path) -> None:
    done = signing.sign(bundle, "--json")
    assert done.status == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["identity"], said["issuer"]) == (IDENTITY, GITHUB)
    # One certificate for all, and for each variant its metadata and its provenance.
    entries = ["/api/v1/log/entries"] * 4
    assert signing.instance.requests == ["/token", "/api/v2/signingCert", *entries]
    assert sorted(said["files"]) == sorted(map(str, bundle.rglob("*.sigstore")))
    done = signing.verify(bundle)
    assert done.stdout.startswith(
        f"2 variants of tiny are whole, and signed by {IDENTITY} for {SOURCE}"
    )


def test_what_is_printed_checks_it(signing: Signing, tmp_path: Path) -> None:
    done = signing.sign(make_bundle(tmp_path / "bundle", CPU))
    command, *words = done.stdout.splitlines()[1].removeprefix("  kernel-builder ").split()
    assert command == "verify-signature"
    assert signing.verify(tmp_path / "bundle", *words).status == 0


def test_a_person_signs(signing: Signing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    who = {"iss": "https://accounts.example", "sub": "1", "email": "me@example.invalid"}
    signing.instance.claims = who
    monkeypatch.delenv("GITHUB_ACTIONS")
    monkeypatch.setenv("SIGSTORE_ID_TOKEN", signing.instance.token())
    bundle = make_bundle(tmp_path / "bundle", CPU)
    assert signing.sign(bundle).status == 0
    asked = ("--identity", who["email"], "--issuer", who["iss"])
    assert signing.verify(bundle, *asked).status == 0
    assert "refused: " in signing.verify(bundle, *asked, "--repository", SOURCE).stderr


# ---- what cannot be signed ----


def test_nobody_is_there(signing: Signing, bundle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS")
    assert "found  IdentityError: no CI that proves who it is" in signing.sign(bundle).stderr


def test_no_network(signing: Signing, bundle: Path, instance: Instance) -> None:
    text = signing.trust.read_text().replace(instance.url, "http://127.0.0.1:9")
    signing.trust.write_text(text)
    done = signing.sign(bundle)
    assert done.status == 1
    assert "found  ConnectionError: " in done.stderr
    assert not list(bundle.rglob("*.sigstore"))


def test_what_is_in_the_store(signing: Signing, bundle: Path) -> None:
    (bundle / CPU).chmod(0o555)
    done = signing.sign(bundle)
    (bundle / CPU).chmod(0o755)
    assert done.status == 1
    assert "fix    kernel-builder build-and-copy, and sign what is in build/" in done.stderr
    assert signing.instance.requests == []


# ---- and upload ----


def test_upload_takes_signatures_along(
    signing: Signing, signed: Path, upload: Uploader, hub: Hub, tmp_path: Path
) -> None:
    upload(signed)
    repository = hub.repositories.get(REPO)
    there = set(repository.summarize()["refs/heads/v1"])
    assert {f"build/{CPU}/{SIGNATURE}", BUILT} <= there
    # The files that users fetch are those that were signed.
    fetched = tmp_path / "fetched"
    tree = repository.tree(repository.resolve("v1") or "")
    for path, entry in tree.items():
        (fetched / path).parent.mkdir(parents=True, exist_ok=True)
        (fetched / path).write_bytes(repository.content(entry))
    assert signing.verify(fetched).status == 0
    # The same build is uploaded again without signatures.
    for file in signed.rglob("*.sigstore"):
        file.unlink()
    assert upload(signed).stdout.startswith("v1: everything is there already")
    assert set(repository.summarize()["refs/heads/v1"]) == there
    (fetched / BUILT).unlink()
    assert f"at     {BUILT}" in signing.verify(fetched).stderr
