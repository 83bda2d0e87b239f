"""What is on the Hub comes from strangers: `status` reads it, and finds what is damaged."""

import base64
import hashlib
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.publishing import published
from tests.hub.built import publish
from tests.hub.client import REPO, Client, Uploader, files_of
from tests.hub.exchange import Hub

CPU = "torch213-cxx11-cpu-x86_64-linux"
Build = Callable[..., Path]
Read = Callable[[], published.Published]


@pytest.fixture
def read(upload: Uploader, build: Build, hub: Hub) -> Read:
    """Return the state of a published variant, as read within this process."""
    assert upload.hub is hub
    publish(hub, REPO, build("a" * 40, CPU))
    return lambda: published.read_branch(REPO, "v1").variants[CPU]


def test_digests(read: Read, hub: Hub) -> None:
    repository, at = hub.repositories.get(REPO), f"build/{CPU}"
    assert (read().digests, read().damage) == ("right", [])
    library = next(
        path for path in repository.tree(repository.resolve("v1") or "") if ".so" in path
    )
    repository.write(library, b"other")
    repository.write(f"{at}/new.py", "")
    repository.write(f"provenance/{CPU}.cdx.json", "{}")
    files = [library.removeprefix(f"{at}/"), "new.py", f"provenance/{CPU}.cdx.json"]
    assert (read().digests, read().damage) == ("wrong", sorted(files))
    # A signature is made after the build.
    repository.write(f"{at}/metadata.json.sigstore", "{}")
    assert read().damage == sorted(files)
    repository.commit("v1", None, "-", [("remove", f"{at}/metadata.json", None)], create_pr=False)
    assert read().damage == ["metadata.json"]


HOSTILE = {
    "no JSON": "{",
    "a list": "[]",
    "a text": '"x"',
    "deep": "[" * 100_000,
    "digests as a list": '{"digest": []}',
    "files as a text": '{"digest": {"files": "x"}}',
    "hashes as lists": '{"digest": {"files": {"__init__.py": []}}}',
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_metadata(read: Read, hub: Hub, text: str) -> None:
    hub.repositories.get(REPO).write(f"build/{CPU}/metadata.json", text)
    assert read().digests == "wrong"


@pytest.mark.parametrize("oid", ["no hexadecimal", "ab" * 31])
def test_hostile_hashes(read: Read, hub: Hub, oid: str) -> None:
    name = next(name for name in files_of(hub) if name.endswith("__init__.py") and CPU in name)
    entry = {"blob": "0" * 40, "sha256": oid, "size": 9}
    repository = hub.repositories.get(REPO)
    repository.commit("v1", None, "a hash", [("lfs", name, entry)], create_pr=False)
    assert read().digests == "wrong"


def test_hostile_names(read: Read, hub: Hub, client: Client) -> None:
    names = {"version": "\x1b[2J", "commit": "x" * 40}
    odd = {"kernel-builder": names, "kernel": {"commit": "../" * 20, "dirty": []}}
    text = json.dumps({"provenance": odd, "digest": {"files": {"\x1b[2J": "x"}}})
    hub.repositories.get(REPO).write(f"build/{CPU}/metadata.json", text)
    hub.repositories.get(REPO).write("build/[a-z]*/metadata.json", '{"provenance": "x"}')
    assert (read().builder, read().commit, read().dirty) == ("", "", False)
    done = client.expect(0, "status", REPO)
    assert "\x1b" not in done.stdout + done.stderr
    assert "[a-z]*" in done.stdout
    assert "no digests" in done.stdout


@pytest.mark.attack("status, verify", "a hostile Hub lists `build/V/../../x`", "refused by name")
@pytest.mark.parametrize("name", ["../../../../escaped", "\x1b[2J", "x" * 300])
def test_names_that_are_no_files(read: Read, hub: Hub, tmp_path: Path, name: str) -> None:
    hub.repositories.get(REPO).write(f"build/{CPU}/{name}", b"evil")
    with pytest.raises(KernelBuilderError, match="names in org/tiny that are no files") as refused:
        read()
    assert refused.value.problems[0].found == ascii(f"build/{CPU}/{name}")
    assert not list(tmp_path.rglob("*escaped*"))


@pytest.mark.attack("status, verify", "a repository of a petabyte", "refused, not fetched")
def test_large_files(read: Read, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, path = hub.repositories.get(REPO), f"build/{CPU}/large.txt"
    content = b"x" * 5000
    metadata = json.loads(repository.read_file(f"build/{CPU}/metadata.json"))
    digest = base64.b64encode(hashlib.sha256(content).digest()).decode()
    metadata["digest"]["files"]["large.txt"] = digest
    repository.write(path, content)
    repository.write(f"build/{CPU}/metadata.json", json.dumps(metadata))
    assert read().damage == []
    # It is not fetched, so it cannot be right.
    monkeypatch.setattr(published, "MAX_TEXT_BYTES", 4000)
    assert read().damage == ["large.txt"]
    monkeypatch.setattr(published, "MAX_BYTES", 100)
    hub.faults.reset()
    with pytest.raises(KernelBuilderError, match="is not fetched"):
        read()
    assert not [request for request in hub.faults.requests if "resolve" in request]


def test_equal_files_are_fetched_once(read: Read, build: Build, hub: Hub) -> None:
    publish(hub, REPO, build("a" * 40, "torch-cuda", "torch29-cxx11-cpu-x86_64-linux"))
    hub.faults.reset()
    assert read().damage == []
    got = [each for each in hub.faults.requests if each.startswith("GET /kernels/")]
    assert len([each for each in got if each.endswith("/__init__.py")]) == 2
    assert not [each for each in got if each.endswith(".so")]
