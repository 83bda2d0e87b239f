"""`status` compares the Hub with a kernel's commit; `upload --prune` removes what is retired."""

import base64
import hashlib
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.publishing import published
from tests.cli.command_line import Ran
from tests.cli.fake_kernel import FakeKernel, forget
from tests.hub.built import make_bundle, write_variant
from tests.hub.client import REPO, Client, Uploader, invoke
from tests.hub.exchange import Hub
from tests.hub.repository import Repository
from tests.tiny_kernel import commit_all

CPU, CUDA, OLD = "torch213-cxx11-cpu-x86_64-linux", "torch-cuda", "torch29-cxx11-cpu-x86_64-linux"
PRUNED = (f"build/{OLD}/", f"provenance/{OLD}.")


def publish(hub: Hub, repo_id: str, folder: Path, branch: str = "v1") -> Repository:
    """Commit the files of a bundle as they are, and create what is missing."""
    repository = hub.repositories.get(repo_id)
    if not repository.exists:
        repository.create(private=False)
    repository.branch(branch, repository.resolve("main") or "")
    changes: list[tuple[str, str, Any]] = []
    for file in (path for path in folder.rglob("*") if path.is_file()):
        name, content = file.relative_to(folder).as_posix(), file.read_bytes()
        path = name if name.startswith(("provenance/", "benchmarks/")) else f"build/{name}"
        if b"\0" in content:
            sha256 = hashlib.sha256(content).hexdigest()
            repository.store_lfs(sha256, content)
            entry = {"blob": sha256[:40], "sha256": sha256, "size": len(content)}
            changes.append(("lfs", path, entry))
        elif not name.startswith("sandbox/"):
            changes.append(("write", path, content))
    repository.commit(branch, None, "a build", changes, create_pr=False)
    return repository


Make = Callable[..., FakeKernel]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Write kernels into one repository, kernels/, each with its variants."""
    made: list[FakeKernel] = []

    def make(name: str, *variants: str) -> FakeKernel:
        (tmp_path / "kernels").mkdir(exist_ok=True)
        kernel = FakeKernel(tmp_path / "kernels" / name, uuid.uuid4().hex, repo_id=f"org/{name}")
        for variant in variants:
            kernel.add(variant)
        kernel.write()
        made.append(kernel)
        return kernel

    yield make
    for each in made:
        forget(each.folder)


@pytest.fixture
def build(tmp_path: Path) -> Callable[..., Path]:
    def build(commit: str, *variants: str, dirty: bool = False) -> Path:
        folder = make_bundle(tmp_path / uuid.uuid4().hex, *variants)
        builder = {"version": "1.2", "commit": "b" * 40}
        origin = {"kernel-builder": builder, "kernel": {"commit": commit, "dirty": dirty}}
        for variant in variants:
            listed = (folder / "provenance" / f"{variant}.cdx.json").read_text()
            write_variant(folder / variant, provenance=origin, listed=listed)
        return folder

    return build


@pytest.fixture
def ask(upload: Uploader, hub: Hub) -> Callable[..., Ran]:
    """Run the command within this process; there, its status is not known."""
    assert upload.hub is hub
    return lambda *words: invoke("status", *words)


Build = Callable[..., Path]
Ask = Callable[..., Ran]


def states(done: Ran) -> dict[str, dict[str, str]]:
    kernels = json.loads(done.stdout)["kernels"]
    return {
        each["kernel"]: {row["variant"]: row["state"] for row in each["variants"]}
        for each in kernels
    }


def test_three_kernels_in_one_table(
    make: Make, build: Build, hub: Hub, client: Client, tmp_path: Path
) -> None:
    folder = tmp_path / "kernels"
    make("add", CPU, CUDA)
    edited = make("edited", CPU)
    make("changed", CPU, CUDA)
    first = commit_all(folder)
    for name, variants in {"add": [CPU, CUDA], "edited": [CPU], "changed": [CPU, OLD]}.items():
        publish(hub, f"org/{name}", build(first, *variants))
    (edited.folder / "new.py").write_text("")
    head = commit_all(folder)
    assert head != first
    hub.repositories.get("org/changed").write(f"build/{CPU}/__init__.py", "import os\n")

    paths = [str(folder / name) for name in ("add", "changed", "edited")]
    done = client("status", *paths, "--fail-on", "stale,missing")
    assert done.status == 3, done.stderr
    short, builder, day = first[:12], f"1.2 {'b' * 12}", "2026-01-01"
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["kernel", "variant", "state", "commit", "builder", "date", "why"]
    assert rows[1:7] == [
        ["add", CPU, "published", short, *builder.split(), day],
        ["add", CUDA, "published", short, *builder.split(), day],
        ["changed", CPU, "damaged", short, *builder.split(), day, "__init__.py"],
        ["changed", CUDA, "missing"],
        ["changed", OLD, "retired", short, *builder.split(), day],
        ["edited", CPU, "stale", short, *builder.split(), day, "1", "commit", "since", "then"],
    ]
    assert done.stdout.splitlines()[8:] == [
        "add: org/add, v1: 2 published",
        "changed: org/changed, v1: 1 missing, 1 retired, 1 damaged",
        "edited: org/edited, v1: 1 stale",
    ]
    data = json.loads(client("status", *paths, "--json").stdout)["kernels"]
    assert data[2]["variants"][0] == {
        "variant": CPU, "state": "stale", "why": "1 commit since then", "commits": 1,
        "commit": first, "builder": builder, "date": day, "dirty": False, "digests": "right",
        "damage": [],
    }  # fmt: skip
    assert data[1]["variants"][0]["damage"] == ["__init__.py"]
    assert data[0]["commit"] == hub.repositories.get("org/add").resolve("v1")
    assert client("status", paths[0], "--fail-on", "stale,missing,retired,damaged").status == 0
    assert not [each for each in hub.faults.requests if each.startswith(("POST", "PUT"))]


def test_stale_builds(make: Make, build: Build, hub: Hub, ask: Ask, tmp_path: Path) -> None:
    names = {"elsewhere": "e" * 40, "dirty": "", "silent": "no commit"}
    folders = [make(name, CPU).folder for name in names]
    head = commit_all(tmp_path / "kernels")
    for name, commit in names.items():
        publish(hub, f"org/{name}", build(commit or head, CPU, dirty=name == "dirty"))
    done = ask(*map(str, folders), "--json")
    found = {each["kernel"]: each["variants"][0] for each in json.loads(done.stdout)["kernels"]}
    assert {name: row["state"] for name, row in found.items()} == dict.fromkeys(names, "stale")
    assert [row["why"] for row in found.values()] == [
        "its commit is not in this repository",
        "built with uncommitted changes",
        "its commit is not stated",
    ]


def test_an_error_hides_nothing(make: Make, build: Build, hub: Hub, client: Client) -> None:
    good, bad, new = make("good", CPU), make("bad", CPU), make("new", CPU)
    publish(hub, "org/good", build("a" * 40, CPU))
    (bad.folder / "variants.nix").write_text('throw "this one is broken"')
    folders = [str(each.folder) for each in (bad, good, new)]
    done = client("status", *folders, "--json", "--fail-on", "missing")
    assert done.status == 1
    assert "this one is broken" in done.stderr
    # Outside of git, there is no commit to compare with.
    assert states(done) == {
        "bad": {"": "failed"}, "good": {CPU: "published"}, "new": {CPU: "missing"},
    }  # fmt: skip
    lacks = [each.get("lacks") for each in json.loads(done.stdout)["kernels"]]
    assert lacks == [None, "", "org/new is not there, or you may not read it"]


def test_a_branch_and_a_repository(
    make: Make, build: Build, hub: Hub, ask: Ask, tmp_path: Path
) -> None:
    kernel = make("one", CPU)
    head = commit_all(tmp_path / "kernels")
    publish(hub, "org/one", build(head, CPU), "try/this")
    publish(hub, "org/one", build(head, CPU, OLD), "v9")
    publish(hub, "org/one", build(head, OLD), "v10")
    folder = str(kernel.folder)
    assert states(ask(folder, "--json")) == {"one": {CPU: "missing"}}
    assert ask(folder).stdout.endswith("\none: org/one has no branch v1: 1 missing\n")
    assert states(ask(folder, "--branch", "try/this", "--json")) == {"one": {CPU: "published"}}
    # Without a checkout, nothing is expected, and the newest version counts.
    assert states(ask("org/one", "--json")) == {"org/one": {OLD: "published"}}
    assert "error: org/one has no branch v11" in ask("org/one", "--branch", "v11").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--fail-on", "stale,rotten"], "'rotten' is none of stale, missing, retired, damaged"),
        (["--offline"], "the Hub cannot be asked offline"),
        (["--repo-id", "org/x", "org/y", "org/z"], "--repo-id is for one DIR"),
    ],
)
def test_wrong_words(ask: Ask, words: list[str], said: str) -> None:
    done = ask(*words)
    assert (done.stdout, said in done.stderr) == ("", True)


@pytest.fixture
def read(upload: Uploader, build: Build, hub: Hub) -> Callable[[], published.Published]:
    """Return the state of a published variant, as read within this process."""
    assert upload.hub is hub
    publish(hub, REPO, build("a" * 40, CPU))
    return lambda: published.read_branch(REPO, "v1").variants[CPU]


Read = Callable[[], published.Published]


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
    done = client("status", REPO)
    assert done.status == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "[a-z]*" in done.stdout
    assert "no digests" in done.stdout
    # A name that leads out of the repository is refused as a whole.
    hub.repositories.get(REPO).write("build/../x", "")
    with pytest.raises(KernelBuilderError, match="names in org/tiny that are no files"):
        read()


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
    with pytest.raises(KernelBuilderError, match="is not read"):
        read()


def test_equal_files_are_fetched_once(read: Read, build: Build, hub: Hub) -> None:
    publish(hub, REPO, build("a" * 40, CUDA, OLD))
    hub.faults.reset()
    assert read().damage == []
    got = [each for each in hub.faults.requests if each.startswith("GET /kernels/")]
    assert len([each for each in got if each.endswith("/__init__.py")]) == 2
    assert not [each for each in got if each.endswith(".so")]


@pytest.fixture
def kernel(make: Make, build: Build, hub: Hub) -> FakeKernel:
    """A kernel with a build, of which one variant more is published."""
    kernel = make("tiny", CPU)
    build("a" * 40, CPU).rename(kernel.folder / "build")
    publish(hub, REPO, build("a" * 40, CPU, CUDA, OLD))
    kernel.add(CUDA)
    kernel.write()
    return kernel


def files_of(hub: Hub) -> set[str]:
    return set(hub.repositories.get(REPO).summarize()["refs/heads/v1"])


def test_prune_lists_first(upload: Uploader, kernel: FakeKernel, hub: Hub) -> None:
    before = files_of(hub)
    refused = upload(kernel.folder, "--partial", "--prune")
    assert refused.status == 1
    assert "v1 would lose variants (1 problem)" in refused.stderr
    assert f"at     {OLD}\n       found  retired, but published" in refused.stderr
    shown = upload(kernel.folder, "--partial", "--prune", "--dry-run")
    assert f"  retired {OLD}\n" in shown.stdout
    assert files_of(hub) == before


def test_prune_removes_retired_variants_alone(
    upload: Uploader, kernel: FakeKernel, hub: Hub
) -> None:
    repository = hub.repositories.get(REPO)
    repository.write("build/notes.txt", "of others")
    repository.write(f"build/{OLD}.txt", "of others")
    before, commits = files_of(hub), len(repository.list_commits(repository.resolve("v1")))
    (kernel.folder / "build" / "benchmarks" / "benchmark.py").write_text("print(2)\n")
    done = upload(kernel.folder, "--partial", "--prune", "--yes", "--json")
    assert done.status == 0, done.stderr
    gone = {path for path in before if path.startswith(PRUNED)}
    assert len(gone) == 6
    assert files_of(hub) == before - gone
    assert json.loads(done.stdout)["branches"][0]["retired"] == [OLD]
    # One commit has all of it, and there is nothing to do again.
    assert len(repository.list_commits(repository.resolve("v1"))) == commits + 1
    again = upload(kernel.folder, "--partial", "--prune")
    assert again.stdout.startswith("v1: everything is there already\n")


def test_prune_needs_a_kernel(upload: Uploader, bundle: Path, hub: Hub) -> None:
    done = upload(bundle, "--prune", "--yes")
    assert (done.status, "is not a kernel" in done.stderr) == (1, True)
    assert hub.faults.requests == []
