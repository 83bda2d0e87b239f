"""Variants are signed, and uploaded with their signatures; or it is said why they are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.hub.built import make_bundle
from tests.hub.client import REPO, Uploader
from tests.hub.exchange import Hub
from tests.hub.signing import BUILT, CPU, SIGNATURE, Signing
from tests.hub.sigstore_instance import GITHUB, IDENTITY, SOURCE, Instance


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
    # What users fetch is found to be what was signed.
    fetched = tmp_path / "fetched"
    tree = repository.tree(repository.resolve("v1") or "")
    for path, entry in tree.items():
        (fetched / path).parent.mkdir(parents=True, exist_ok=True)
        (fetched / path).write_bytes(repository.content(entry))
    assert signing.verify(fetched).status == 0
    # Where it is not signed, the same build is uploaded again.
    for file in signed.rglob("*.sigstore"):
        file.unlink()
    assert upload(signed).stdout.startswith("v1: everything is there already")
    assert set(repository.summarize()["refs/heads/v1"]) == there
    (fetched / BUILT).unlink()
    assert f"at     {BUILT}" in signing.verify(fetched).stderr
