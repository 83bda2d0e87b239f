"""`status` compares the Hub with a kernel's commit; `upload --prune` removes what is retired."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Ran
from tests.cli.fake_kernel import FakeKernel
from tests.hub.built import publish
from tests.hub.client import REPO, Client, Uploader, files_of, invoke
from tests.hub.exchange import Hub
from tests.tiny_kernel import commit_all, git

CPU, CUDA, OLD = "torch213-cxx11-cpu-x86_64-linux", "torch-cuda", "torch29-cxx11-cpu-x86_64-linux"
PRUNED = (f"build/{OLD}/", f"provenance/{OLD}.")


@pytest.fixture
def ask(upload: Uploader, hub: Hub) -> Callable[..., Ran]:
    """Run the command within this process; there, its status is not known."""
    assert upload.hub is hub
    return lambda *words: invoke("status", *words)


Build = Callable[..., Path]
Make = Callable[..., FakeKernel]
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
    add = make("add", CPU, CUDA)
    make("edited", CPU)
    make("changed", CPU, CUDA)
    first = commit_all(folder)
    for name, variants in {"add": [CPU, CUDA], "edited": [CPU], "changed": [CPU, OLD]}.items():
        publish(hub, f"org/{name}", build(first, *variants))
    # From this change the same build follows, and another one for `edited`.
    with (add.folder / "flake.nix").open("a") as flake:
        flake.write("# another address\n")
    make("edited", CPU, inputs="others")
    assert commit_all(folder) != first
    changed = hub.repositories.get("org/changed")
    for variant in (CPU, OLD):
        changed.write(f"build/{variant}/__init__.py", "import os\n")

    paths = [str(folder / name) for name in ("add", "changed", "edited")]
    done = client.expect(3, "status", *paths, "--fail-on", "stale,missing")
    short, builder, day = first[:12], f"1.2 {'b' * 12}", "2026-01-01"
    why = "changed: sources or tools; 1 commit since then"
    rows = [line.split() for line in done.stdout.splitlines()]
    assert rows[0] == ["kernel", "variant", "state", "commit", "builder", "date", "why"]
    assert rows[1:7] == [
        ["add", CPU, "published", short, *builder.split(), day],
        ["add", CUDA, "published", short, *builder.split(), day],
        ["changed", CPU, "damaged", short, *builder.split(), day, "__init__.py"],
        ["changed", CUDA, "missing"],
        ["changed", OLD, "retired", short, *builder.split(), day, "damaged:", "__init__.py"],
        ["edited", CPU, "stale", short, *builder.split(), day, *why.split()],
    ]
    assert done.stdout.splitlines()[8:] == [
        "add: org/add, v1: 2 published",
        "changed: org/changed, v1: 1 missing, 1 retired, 1 damaged",
        "edited: org/edited, v1: 1 stale",
    ]
    data = json.loads(client("status", *paths, "--json").stdout)["kernels"]
    assert data[2]["variants"][0] == {
        "variant": CPU, "state": "stale", "why": why, "commits": 1, "ahead": 0,
        "changes": ["sources or tools"], "commit": first, "builder": builder, "date": day,
        "dirty": False, "digests": "right", "damage": [],
    }  # fmt: skip
    assert data[1]["variants"][0]["damage"] == ["__init__.py"]
    assert data[0]["commit"] == hub.repositories.get("org/add").resolve("v1")
    assert client("status", paths[0], "--fail-on", "stale,missing,retired,damaged").status == 0
    # What is retired and damaged counts as both.
    publish(hub, "org/changed", build(first, CPU))
    assert client("status", paths[1], *["--fail-on", "damaged", "--fail-on", "stale"]).status == 3
    assert not [each for each in hub.faults.requests if each.startswith(("POST", "PUT"))]


def test_stale_builds(make: Make, build: Build, hub: Hub, ask: Ask, tmp_path: Path) -> None:
    """Without inputs to compare, as of an older builder, commits count."""
    names = {"elsewhere": "e" * 40, "silent": "no commit", "older": "", "dirty": ""}
    folders = [make(name, CPU, inputs=None).folder for name in names]
    older = commit_all(tmp_path / "kernels")
    (tmp_path / "kernels/older/new.py").write_text("")
    head = commit_all(tmp_path / "kernels")
    for name, commit in {**names, "older": older}.items():
        publish(hub, f"org/{name}", build(commit or head, CPU, dirty=name == "dirty"))
    done = ask(*map(str, folders), "--json")
    found = {each["kernel"]: each["variants"][0] for each in json.loads(done.stdout)["kernels"]}
    assert {name: row["state"] for name, row in found.items()} == dict.fromkeys(names, "stale")
    assert [row["why"] for row in found.values()] == [
        "its commit is not in this repository; inputs not compared",
        "its commit is not stated; inputs not compared",
        "1 commit since then; inputs not compared",
        "built with uncommitted changes; inputs not compared",
    ]
    git(tmp_path / "kernels", "checkout", "-q", older)
    publish(hub, "org/older", build(head, CPU))
    (row,) = json.loads(ask(str(folders[2]), "--json").stdout)["kernels"][0]["variants"]
    assert (row["why"], row["ahead"]) == ("1 commit of it not here; inputs not compared", 1)


@pytest.mark.parametrize(
    ("facts", "why"),
    [
        ({"license": "apache-2.0"}, "changed: license"),
        ({"python-depends": ["einops"], "version": 2}, "changed: python-depends, version"),
        ({"source": "https://x"}, "changed: source"),
        ({"licences": {"LICENSE": "00" * 32}}, "changed: LICENSE"),
        ({}, ""),
    ],
)
def test_inputs_decide(
    make: Make, build: Build, hub: Hub, ask: Ask, tmp_path: Path, facts: dict[str, Any], why: str
) -> None:
    """Whatever the commit was, and whether it is known here."""
    folder = make("one", CPU, **facts).folder
    commit_all(tmp_path / "kernels")
    publish(hub, "org/one", build("e" * 40, CPU))
    (row,) = json.loads(ask(str(folder), "--json").stdout)["kernels"][0]["variants"]
    state = "stale" if why else "published"
    said = f"{why}; its commit is not in this repository" if why else ""
    assert (row["state"], row["why"]) == (state, said)


def test_an_error_hides_nothing(make: Make, build: Build, hub: Hub, client: Client) -> None:
    good, bad, new = make("good", CPU), make("bad", CPU), make("new", CPU)
    publish(hub, "org/good", build("a" * 40, CPU))
    (bad.folder / "variants.nix").write_text('throw "this one is broken"')
    folders = [str(each.folder) for each in (bad, good, new)]
    done = client.expect(1, "status", *folders, "--json", "--fail-on", "missing")
    assert "this one is broken" in done.stderr
    # Outside of git, there is no commit to compare with.
    assert states(done) == {
        "bad": {"": "failed"}, "good": {CPU: "published"}, "new": {CPU: "missing"},
    }  # fmt: skip
    lacks = [each.get("lacks") for each in json.loads(done.stdout)["kernels"]]
    assert lacks == [None, "", "org/new is not on the Hub, or not for you"]


def test_a_branch_and_a_repository(
    make: Make, build: Build, hub: Hub, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = make("one", CPU)
    head = commit_all(tmp_path / "kernels")
    publish(hub, "org/one", build(head, CPU), "try/this")
    publish(hub, "org/one", build(head, CPU, OLD), "v9")
    publish(hub, "org/one", build(head, OLD), "v10")
    folder = str(kernel.folder)
    assert states(ask(folder, "--json")) == {"one": {CPU: "missing"}}
    # Rows that all say the same are for those who ask for them.
    line = "one: org/one has no branch v1: 1 missing\n"
    assert ask(folder).stdout == line
    assert ask(folder, "--all").stdout.endswith(f"missing\n\n{line}")
    assert states(ask(folder, "--branch", "try/this", "--json")) == {"one": {CPU: "published"}}
    # Without a checkout, nothing is expected, and the newest version counts. A folder of this name
    # is not what is asked for.
    kernel.folder.parent.rename(tmp_path / "org")
    monkeypatch.chdir(tmp_path)
    assert states(ask("org/one", "--json")) == {"org/one": {OLD: "published"}}
    assert ask("org/one").stdout.endswith("\nthe Hub's org/one: org/one, v10: 1 published\n")
    for name in ("build/x.py", "provenance/x.py"):
        hub.repositories.get("org/one").write(name, b"", "v10")
    found = {"build/x.py": "damaged", "provenance/x.py": "damaged", OLD: "published"}
    assert states(ask("org/one", "--json")) == {"org/one": found}
    (tmp_path / "org").rename(kernel.folder.parent)
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
def kernel(make: Make, build: Build, hub: Hub) -> FakeKernel:
    """A kernel with a build, of which one variant more is published."""
    kernel = make("tiny", CPU)
    build("a" * 40, CPU).rename(kernel.folder / "build")
    publish(hub, REPO, build("a" * 40, CPU, CUDA, OLD))
    kernel.add(CUDA)
    kernel.write()
    return kernel


def test_prune_lists_first(upload: Uploader, kernel: FakeKernel, hub: Hub) -> None:
    before = files_of(hub)
    refused = upload.expect(1, kernel.folder, "--partial", "--prune")
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
    before, commits = {*files_of(hub)}, len(repository.list_commits(repository.resolve("v1")))
    (kernel.folder / "build" / "benchmarks" / "benchmark.py").write_text("print(2)\n")
    done = upload.expect(0, kernel.folder, "--partial", "--prune", "--yes", "--json")
    gone = {path for path in before if path.startswith(PRUNED)}
    assert len(gone) == 6
    assert {*files_of(hub)} == before - gone
    assert json.loads(done.stdout)["branches"][0]["retired"] == [OLD]
    # One commit has all of it, and there is nothing to do again.
    assert len(repository.list_commits(repository.resolve("v1"))) == commits + 1
    again = upload(kernel.folder, "--partial", "--prune")
    assert again.stdout.startswith("v1: everything is there already\n")


def test_prune_needs_a_kernel(upload: Uploader, bundle: Path, hub: Hub) -> None:
    done = upload(bundle, "--prune", "--yes")
    assert (done.status, "is not a kernel" in done.stderr) == (1, True)
    assert hub.faults.requests == []
