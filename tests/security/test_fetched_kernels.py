"""Kernels of the Hub that a build fetches: derivations of strangers, and answers of the Hub."""

# ruff: noqa: F811 (fixtures of other suites, which are imported)

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import store  # noqa: F401 (a fixture)
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store
from tests.cli.wheel_file import make_wheel
from tests.evaluation import FEATURES, ROOT
from tests.hub.client import REPO, Client
from tests.hub.conftest import client, hub  # noqa: F401 (fixtures)
from tests.hub.exchange import Hub

BUILDER = ROOT / "pkgs/python/fetch-kernel/download.py"
LOCKER = ROOT / "pkgs/author/lock-kernels/lock.py"
ESCAPED = "escaped"


def publish(hub: Hub, path: str, salt: str) -> str:
    """Publish one file; return the commit, which is version 1."""
    repository = hub.repositories.get(REPO)
    repository.create(private=False)
    commit, _ = repository.commit(
        "main", None, "one file", [("add", path, salt.encode())], create_pr=False
    )
    repository.branch("v1", commit)
    return commit


def hash_published(hub: Hub, commit: str, folder: Path) -> str:
    """Return the hash of all files at a commit."""
    repository = hub.repositories.get(REPO)
    for path, entry in repository.tree(commit).items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(repository.content(entry))
    argv = ["nix", *FEATURES, "hash", "path", str(folder)]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def want_kernel(hub: Hub, client: Client, folder: Path) -> dict[str, str]:  # noqa: ARG001
    """Return the coordinates of a kernel; its derivation wants a file."""
    commit = publish(hub, "build/a.py", str(folder))
    pinned = hash_published(hub, commit, folder / "published")
    coordinates = {"sourceKind": "kernel", "repository": REPO, "commit": commit}
    return {**coordinates, "outputHashMode": "flat", "outputHash": pinned}


def want_wheel(hub: Hub, client: Client, folder: Path) -> dict[str, str]:  # noqa: ARG001
    """Return the coordinates of a wheel; its derivation wants a folder."""
    file, content = make_wheel("kbtest", "1.0", salt=str(folder))
    (folder / file).write_bytes(content)
    client.variables |= {
        "PIP_CONFIG_FILE": "/dev/null",
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(folder),
    }
    coordinates = {"sourceKind": "wheel", "project": "kbtest", "version": "1.0", "file": file}
    pinned = hashlib.sha256(content).hexdigest()
    return {**coordinates, "outputHashMode": "recursive", "outputHash": pinned}


@pytest.mark.attack(
    "build", "a source that arrives, but not where its derivation wants it", "refused"
)
@pytest.mark.parametrize("want", [want_kernel, want_wheel])
def test_builder_of_what_arrived(
    want: object, kernel: FakeKernel, hub: Hub, client: Client, tmp_path: Path
) -> None:
    """Nix would start the builder, which sees the machine's network."""
    assert callable(want)
    kernel.add("a-cpu")
    kernel.write()
    flake = kernel.folder / "flake.nix"
    old = 'builder = "/bin/sh";'
    text = flake.read_text()
    assert old in text
    attributes = {"outputHashAlgo": "sha256", **want(hub, client, tmp_path)}
    added = " ".join(f"{name} = {json.dumps(value)};" for name, value in attributes.items())
    text = text.replace(old, f"{old} {added}")
    flake.write_text(text.replace("echo ${salt} > $out", "echo the builder has begun; exit 1"))
    done = client("build", str(kernel.folder))
    assert done.status == 1
    assert "its outputHashMode is wrong" in done.stderr
    assert "the builder has begun" not in done.stdout + done.stderr
    assert "left out" in done.stdout


def run_python(
    script: Path, folder: Path, client: Client, *words: str, **variables: str
) -> subprocess.CompletedProcess[str]:
    folder.mkdir()
    environment = {**client.environment, **variables}
    argv = [sys.executable, str(script), *words]
    return subprocess.run(
        argv, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def kernel_source(store: Store, commit: str, pinned: str) -> str:
    coordinates = {"sourceKind": "kernel", "repository": REPO, "commit": commit}
    source = store.source(
        "org-tiny", b"", outputHashMode="recursive", **{**coordinates, "outputHash": pinned}
    )
    return store.instantiate(source)


@pytest.mark.attack("build", "a file of the Hub whose name leads out of its folder", "refused")
@pytest.mark.parametrize("name", ["build/../../{}", "{} outside"])
def test_names(name: str, hub: Hub, client: Client, store: Store, tmp_path: Path) -> None:
    outside = tmp_path / ESCAPED
    path = str(outside) if name == "{} outside" else name.format(ESCAPED)
    commit = publish(hub, path, str(tmp_path))

    variables = {"out": str(tmp_path / "build" / "out"), "repository": REPO, "commit": commit}
    built = run_python(BUILDER, tmp_path / "build", client, **variables)
    assert built.returncode != 0
    assert "Invalid filename" in built.stderr

    wanted = tmp_path / "request.json"
    request = {"dependencies": [{"repo-id": REPO, "version": 1}], "repository": "org/[a-z]+"}
    wanted.write_text(json.dumps(request))
    locked = run_python(LOCKER, tmp_path / "locking", client, str(wanted))
    assert locked.returncode != 0
    assert "Invalid filename" in locked.stderr
    assert list((tmp_path / "locking").iterdir()) == []

    fetched = client("prefetch", kernel_source(store, commit, "0" * 64))
    assert fetched.status == 1
    assert f"the Hub lists names in {REPO} that are no files" in fetched.stderr
    assert list(tmp_path.rglob(ESCAPED)) == []


@pytest.mark.attack("prefetch", "a kernel of the Hub with other files than were locked", "not used")
def test_other_files(hub: Hub, client: Client, store: Store, tmp_path: Path) -> None:
    commit = publish(hub, "build/a.py", str(tmp_path))
    pinned = "0" * 64
    wanted = kernel_source(store, commit, pinned)
    done = client("prefetch", wanted)
    assert done.status == 1
    assert "found  another file came under this name, sha256 " in done.stderr
    assert f"want   org-tiny, sha256 {pinned}" in done.stderr
    assert not store.has(wanted)


def test_two_commits_at_once(hub: Hub, client: Client, store: Store, tmp_path: Path) -> None:
    """They have the same name, and files of the one are not files of the other."""
    first = publish(hub, "build/a.py", str(tmp_path))
    repository = hub.repositories.get(REPO)
    changes = [("remove", "build/a.py", None), ("add", "build/b.py", str(tmp_path).encode())]
    second, _ = repository.commit("main", first, "another file", changes, create_pr=False)
    wanted = [
        kernel_source(store, commit, hash_published(hub, commit, tmp_path / commit))
        for commit in (first, second)
    ]
    done = client("prefetch", *wanted)
    assert done.status == 0, done.stderr
    assert all(map(store.has, wanted))
