"""Uploads that are refused, and where an upload goes."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from kernel_builder.hub.bundle import Bundle, read_bundle
from kernel_builder.hub.target import choose_repository, find_wrong_variants, name_branch
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.secrets import redact
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import REPO, TOKEN, Client, Uploader
from tests.hub.exchange import Hub

CPU = "torch213-cxx11-cpu-x86_64-linux"


OTHERS = "hf_" + "z" * 34
# What is wrong: variables, words of the command, the headline, and words of what was found.
CAUSES = {
    "no-token": ({"HF_TOKEN": ""}, "upload", "the Hub does not take your token", "status 401"),
    "wrong-token": ({"HF_TOKEN": OTHERS}, "status", "the Hub does not take", "Invalid credentials"),
    "no-owner": ({}, "upload us/x", "the upload to us/x is refused", "no user or organization"),
    "no-rights": ({}, "upload me/x", "your token does not permit the upload to me/x", "Forbidden"),
    "not-published": ({}, "verify org/x", "org/x is not on the Hub, or not for you", "Repository"),
    "no-host": (
        *({"HF_ENDPOINT": "http://nowhere.invalid"}, "status"),
        *("the Hub cannot be reached", "Name or service not known"),
    ),
    "no-port": (
        *({"HF_ENDPOINT": "http://127.0.0.1:9"}, "verify org/x"),
        *("the Hub cannot be reached", "Connection refused"),
    ),
    "no-scheme": ({"HF_ENDPOINT": "hub.invalid"}, "status", "the download from", "is missing an"),
    "odd-proxy": ({"HTTP_PROXY": "odd://x:1"}, "upload", "the upload to", "Unknown scheme for"),
    "socks": ({"ALL_PROXY": "socks5://x:1"}, "upload", "the upload to", "SOCKS proxy"),
    "offline": ({"HF_HUB_OFFLINE": "1"}, "upload", "the Hub is not asked", "offline mode"),
}


@pytest.mark.parametrize("name", CAUSES)
def test_the_cause_is_named_once(name: str, client: Client, bundle: Path) -> None:
    variables, asked, headline, found = CAUSES[name]
    client.variables.update(variables)
    command, *repo = asked.split()
    client.hub.owners.add("me")
    words = {
        "upload": (str(bundle), "--repo-id", *(repo or [REPO])),
        "verify": (*repo, "--allow-vulnerable-nix"),
        "status": (REPO,),
    }
    done = client.expect(1, command, *words[command])
    _, _, message = done.stderr.partition("error: ")
    assert message.startswith(headline)
    assert found in message
    # Each text once, no raw address, and nothing of the library's own manual.
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    assert len(lines) == len({*lines}) == 5 + (name == "socks")
    odd = ("None", "Errno", "http://n", "http://1")
    assert not any(word in message for word in odd) or name == "offline"


def test_into_a_public_one_or_another_kernel(upload: Uploader, bundle: Path, hub: Hub) -> None:
    upload(bundle)
    done = upload.expect(1, bundle, "--private")
    assert f"{REPO} is public, but --private is given" in done.stderr
    path, stored = f"build/{CPU}/metadata.json", hub.repositories.get(REPO)
    stored.write(path, stored.read_file(path).replace(b'"tiny"', b'"large"'))
    assert "found  builds of large" in upload.expect(1, bundle).stderr
    stored.write(path, "{")
    assert upload(bundle).status == 0


def test_no_repository(client: Client, bundle: Path) -> None:
    done = client.expect(1, "upload", str(bundle))
    assert "is not a kernel" in done.stderr
    done = client("upload", str(bundle), "--repo-id", "no-owner")
    assert 'found  "no-owner"' in done.stderr


def change_files(bundle: Path) -> None:
    (bundle / CPU / "__init__.py").write_text("import os\n")
    (bundle / CPU / "new.py").write_text("")


def state(bundle: Path, **facts: object) -> None:
    """State more in the metadata of a variant."""
    file = bundle / CPU / "metadata.json"
    file.write_text(json.dumps({**json.loads(file.read_text()), **facts}))


# Changes of a bundle, and what is found.
CHANGES: list[tuple[Callable[[Path], object], str]] = [
    (change_files, "found  files that are missing, changed or new: __init__.py, new.py"),
    (lambda b: state(b, partial=["9.0"]), f"at     {CPU}\n       found  built for 9.0 alone"),
    (
        lambda b: state(b, **{"torch-wheel": "torch-2.13.0+acme.whl"}),
        f"at     {CPU}\n       found  not a Hub variant: built with torch-2.13.0+",
    ),
    (lambda b: write_variant(b / CPU, version=2), f"{CPU}: 2"),
    (shutil.rmtree, "has no built variant"),
]


@pytest.mark.parametrize(("change", "found"), CHANGES)
def test_a_build_that_is_not_uploaded(
    upload: Uploader, bundle: Path, hub: Hub, change: Callable[[Path], object], found: str
) -> None:
    change(bundle)
    bundle.mkdir(exist_ok=True)
    done = upload(bundle, "--partial")
    assert (done.status, found in done.stderr) == (1, True), done.stderr
    assert hub.faults.requests == []


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"Authorization: Bearer {TOKEN}", "Authorization: Bearer ***"),
        (f"token hf_{'a1B2' * 9} in words", "token *** in words"),
        (f"token hf_oauth_{'aB.-_' * 20} in words", "token *** in words"),
        (
            "PUT https://store/x?a=b&X-Amz-Signature=abc failed",
            "PUT https://store/x?a=b&X-Amz-Signature=*** failed",
        ),
        ("http://user:secret@host/path", "http://host/path"),
        ("s3://key:secret@cache and ssh://git@host/x", "s3://cache and ssh://git@host/x"),
    ],
)
def test_secrets_are_taken_out(text: str, clean: str) -> None:
    assert redact(text) == clean


# The parameters of an address that are secrets, of Amazon, Google, Azure, CloudFront and forges.
SECRET = [
    *(f"X-{who}-{what}" for who in ("Amz", "Goog") for what in ("Signature", "Credential")),
    *("X-Amz-Security-Token", "X-Goog-Security-Token", "AWSAccessKeyId", "Key-Pair-Id", "Policy"),
    *("Signature", "sig", "token", "access_token", "private_token", "api_key", "apikey"),
    *("password", "secret", "client_secret"),
]


@pytest.mark.parametrize("separator", "?&;")
@pytest.mark.parametrize("name", SECRET)
def test_a_secret_parameter_is_taken_out(name: str, separator: str) -> None:
    for written in (name, name.lower()):
        address = f"https://store/x{separator}{written}="
        assert redact(f"GET {address}a1B2%2Fc failed") == f"GET {address}*** failed"


@pytest.mark.parametrize(
    "text",
    [
        "hf_hub_download, hf_transfer and hf_undefinedthing are no tokens",
        "nix-store --read-log /nix/store/77raw-hello-torch213-cpu-hf_activation.cpp.o.drv",
        f"an identifier: xhf_{'a' * 40}, hf_{'a' * 40}_b",
        "s3://cache?endpoint=https://host&profile=mine",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_secrets_of_this_machine_are_taken_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "value/of+variable")
    monkeypatch.setenv("ANY_OTHER_TOKEN", "other-value")
    # A value this short would match words.
    monkeypatch.setenv("HF_TOKEN", "of")
    assert redact("one of other-value, value/of+variable") == "one of ***, ***"


def test_a_dry_run_offline_lists_every_file(client: Client, bundle: Path) -> None:
    client.variables |= {"HF_ENDPOINT": "http://127.0.0.1:9", "HF_TOKEN": ""}
    done = client.upload(bundle, "--dry-run", "--offline")
    assert done.status == 0, done.stderr
    assert f"add     build/{CPU}/metadata.json" in done.stdout
    assert "add     README.md" in done.stdout
    refused = client.upload(bundle, "--offline")
    assert (refused.status, refused.stdout) == (2, "")


SYSTEM = "x86_64-linux"


def evaluated(
    version: int = 1,
    repo_id: str | None = None,
    branch: str | None = None,
    bundle: Mapping[str, bool] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return what the evaluation of a kernel gives, whose variants are in bundles or not."""
    return {
        "system": SYSTEM,
        "version": version,
        "hub": {"repo-id": repo_id, "branch": branch},
        "variants": [{"name": name, "bundle": part} for name, part in bundle.items()],
    }


@pytest.fixture
def built(tmp_path: Path) -> Bundle:
    return read_bundle(make_bundle(tmp_path / "bundle", CPU, "torch-cuda"))


def test_the_command_line_comes_before_build_toml() -> None:
    kernel = evaluated(1, "org/stated", "stated")
    assert choose_repository("me/asked", kernel) == "me/asked"
    assert choose_repository("", kernel) == "org/stated"
    assert name_branch(kernel["hub"], 1) == "stated"
    assert name_branch(evaluated(1)["hub"], 1) == name_branch({}, 1) == "v1"


@pytest.mark.parametrize("option", ["", "name-alone", "a/b/c", "/b"])
@pytest.mark.parametrize("kernel", [None, evaluated()])
def test_a_repository_is_named(option: str, kernel: dict[str, Any] | None) -> None:
    with pytest.raises(KernelBuilderError, match="repository"):
        choose_repository(option, kernel)


def find(built: Bundle, partial: bool = False, **variants: bool) -> list[str]:
    manifest = evaluated(bundle=variants)
    return [each.at for each in find_wrong_variants(built, manifest, partial=partial)]


def test_missing_variants(built: Bundle) -> None:
    known = {CPU: True, "torch-cuda": True}
    assert find(built, **known, **{"torch-xpu": False}) == []
    assert find(built, **known, **{"torch-xpu": True}) == ["torch-xpu"]
    assert find(built, partial=True, **known, **{"torch-xpu": True}) == []
    # Variants of an older build.
    assert find(built, **{"torch-cuda": False}) == [CPU]
    assert find(built, **{CPU: True}) == ["torch-cuda"]
