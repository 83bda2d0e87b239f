"""`build` and `build-and-upload` with --missing: the Hub decides what is built, of many kernels."""

import json
from collections.abc import Callable, Sequence
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.commands.group import cli
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.variants.outcome import BuildResult
from kernel_builder.variants.table import Choice
from tests.cli.command_line import Ran
from tests.cli.fake_kernel import FakeKernel
from tests.hub.built import Evaluated, make_bundle, publish
from tests.hub.client import Client, Uploader, invoke
from tests.hub.exchange import Hub
from tests.tiny_kernel import FLAKE, NOARCH, commit_all, git

CPU, CUDA = "torch213-cxx11-cpu-x86_64-linux", "torch-cuda"

Build = Callable[..., Path]
Make = Callable[..., FakeKernel]


@pytest.fixture
def ask(upload: Uploader, hub: Hub) -> Callable[..., Ran]:
    assert upload.hub is hub
    return invoke


def list_built(done: Ran) -> dict[str, list[str]]:
    """Return the variants that were built, by kernel; nothing for a kernel that is up to date."""
    kernels = json.loads(done.stdout)["kernels"]
    return {
        Path(each["folder"]).name: [row["variant"] for row in each["variants"] if row["variant"]]
        for each in kernels
    }


def test_only_what_the_hub_lacks_is_built(
    make: Make, build: Build, hub: Hub, client: Client, tmp_path: Path
) -> None:
    given: dict[str, str | None] = {"whole": "", "lacking": "", "damaged": ""}
    given |= {"changed": "others", "older": None, "new": ""}
    for name, inputs in given.items():
        make(name, CPU, CUDA, inputs=inputs)
    commit = commit_all(tmp_path / "kernels")
    for name in [*given][:-1]:
        publish(hub, f"org/{name}", build(commit, *([CPU] if name == "lacking" else [CPU, CUDA])))
    text = '{"provenance": {"kernel-builder": {}}, "digest": {"files": "x"}}'
    hub.repositories.get("org/damaged").write(f"build/{CUDA}/metadata.json", text)
    # A commit counts only where inputs cannot be compared.
    (tmp_path / "kernels/whole/new.py").write_text("")
    (tmp_path / "kernels/older/new.py").write_text("")
    commit_all(tmp_path / "kernels")

    folders = [str(tmp_path / "kernels" / name) for name in given]
    words = ("build", *folders, "--json")
    done = client.expect(0, *words, "--missing")
    missing = {"lacking": [CUDA], "damaged": [CUDA], "new": [CPU, CUDA]}
    assert list_built(done) == {name: missing.get(name, []) for name in given}
    there = (tmp_path / "kernels/whole/result").exists()
    assert (there, "--here" in done.stderr) == (False, False)
    done = client(*words, "--stale", "--dry-run")
    also = {**missing, "changed": [CPU, CUDA], "older": [CPU, CUDA]}
    assert list_built(done) == {name: also.get(name, []) for name in given}
    # Other options narrow it, and a name that no kernel has is wrong even if nothing is missing.
    done = client(*words, "--missing", "--variant", CPU, "--dry-run")
    assert list_built(done) == {name: [CPU] if name == "new" else [] for name in given}
    done = client("build", folders[0], "--missing", "--variant", "torch-cud")
    assert (done.status, 'did you mean "torch-cuda"?' in done.stderr) == (2, True)


def test_builds_of_other_commits(
    make: Make, build: Build, hub: Hub, ask: Callable[..., Ran], tmp_path: Path
) -> None:
    folder = make("one", CPU, CUDA, inputs="others").folder
    old = commit_all(tmp_path / "kernels")
    (folder / "new.py").write_text("")
    new = commit_all(tmp_path / "kernels")
    publish(hub, "org/one", build(new, CPU))
    git(tmp_path / "kernels", "checkout", "-q", old)
    for option in ("--missing", "--stale"):
        refused = ask("build", str(folder), option)
        assert "the Hub has newer builds of" in refused.stderr
        assert f"found  {CPU}: commit {new}" in refused.stderr
    publish(hub, "org/one", build("e" * 40, CPU))
    said = ask("build", str(folder), "--missing", "--dry-run")
    assert f"found  {CPU}: commit {'e' * 40}" in said.stderr
    assert "--stale" not in ask("build", str(folder), "--stale", "--dry-run").stderr
    path, stored = f"build/{CPU}/metadata.json", hub.repositories.get("org/one")
    stored.write(path, stored.read_file(path).replace(b'"tiny"', b'"large"'))
    assert "org/one has another kernel" in ask("build", str(folder), "--missing").stderr
    # Outside of git there are no commits to be compared.
    (tmp_path / "kernels/.git").rename(tmp_path / "kept")
    assert "other commits" not in ask("build", str(folder), "--missing", "--dry-run").stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("build", "--missing", "--offline"), "the Hub cannot be asked offline"),
        (("build", "--missing", "--capability", "9.0"), "--missing is for whole variants"),
        (("build-and-upload", "--missing", "--prune"), "--prune is for whole builds"),
        (("build-and-upload", "--stale", "--repo-type", "model"), "and none of models"),
        (("upload", "{other}", "--repo-id", "a/b"), "--repo-id is for one DIR"),
        (("build-and-upload", "{other}", "--output-json", "x"), "--output-json is for one DIR"),
        (("build-and-upload", "{other}", "--stale"), 'repo-id = "org/one" in each'),
    ],
)
def test_wrong_words(make: Make, ask: Callable[..., Ran], words: Sequence[str], said: str) -> None:
    folders = {"one": str(make("one", CPU).folder), "other": str(make("other", CPU).folder)}
    for folder in folders.values():
        Path(folder, "build.toml").write_text('general.hub.repo-id = "org/one"')
    command, *others = (word.format(**folders) for word in words)
    done = ask(command, folders["one"], *others)
    assert (done.status == 0, said in done.stderr) == (False, True), done


def test_a_kernel_that_fails_does_not_stop_the_others(
    make: Make,
    hub: Hub,
    upload: Uploader,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert upload.hub is hub
    names = ("broken", "edited", "good", "whole")
    folders = {name: make(name, CPU, CUDA).folder for name in names}
    bundles = {name: make_bundle(tmp_path / f"of-{name}", CPU) for name in ("edited", "good")}
    (bundles["edited"] / CPU / "more.py").write_text("")
    problem = Problem("a step", "no such thing", "one", "write it")
    errors = {"broken": [KernelBuilderError("broken does not build", [problem])]}
    asked = []

    def build_all(places: Sequence[Path], choice: Choice) -> list[BuildResult]:
        asked.append(choice)
        kernels: list[Any] = [
            Evaluated(place, f"org/{place.name}", (CPU, CUDA)) for place in places
        ]
        return [
            BuildResult(
                each.folder.name, {}, 0, each, errors=errors.get(each.folder.name, []),
                bundle=str(bundles[each.folder.name]) if each.folder.name in bundles else None,
            )
            for each in kernels
        ]  # fmt: skip

    monkeypatch.setattr("kernel_builder.commands.results.build_before", build_all)
    words = ["build-and-upload", *map(str, folders.values()), "--missing", "--json"]
    capfd.readouterr()
    status = copy_context().run(cli.main, words, standalone_mode=False)
    assert (status, asked[0].select is None) == (1, False)
    said = capfd.readouterr()
    data = json.loads(said.out)
    kernels = {each["kernel"]: each for each in data["kernels"]}
    assert [*kernels] == [*names]
    assert kernels["good"]["variants"] == [CPU]
    assert [each for each in kernels if kernels[each]["problems"]] == ["broken", "edited"]
    assert len(data["problems"]) == 2
    assert ("edited: these variants are not" in said.err, "more.py" in said.err) == (True, True)
    assert kernels["whole"]["branches"] == kernels["edited"]["branches"] == []
    good = hub.repositories.get("org/good")
    titles = [title for _, title in good.list_commits(good.resolve("v1"))]
    assert titles == [f"tiny v1: {CPU}", "initial commit"]
    assert not hub.repositories.get("org/edited").exists


def test_what_was_uploaded_is_not_built_again(client: Client, hub: Hub, tmp_path: Path) -> None:
    """Two kernels without code; the command is killed between their uploads."""
    folders = [tmp_path / "kernels" / name for name in ("one", "two")]
    for folder in folders:
        name = folder.name
        (folder / "torch-ext" / name).mkdir(parents=True)
        (folder / "torch-ext" / name / "__init__.py").write_text(f"ANSWER = '{tmp_path} {name}'\n")
        (folder / "flake.nix").write_text(FLAKE)
        said = f'name = "{name}"\nhub.repo-id = "org/{name}"'
        (folder / "build.toml").write_text(NOARCH.replace('name = "tiny"', said))
    commit_all(tmp_path / "kernels")
    words = ("build-and-upload", *map(str, folders), "--missing", "--json")
    words = (*words, "--allow-dirty", "--allow-unsandboxed")

    def is_there(name: str) -> bool:
        repository = hub.repositories.get(f"org/{name}")
        tree = repository.summarize().get("refs/heads/v1", {}) if repository.exists else {}
        return "build/torch-cpu/metadata.json" in tree

    process = client.start(*words)

    def kill(request: str) -> None:
        if "org/two" in request and is_there("one"):
            process.kill()
            process.wait()

    hub.faults.meanwhile = kill
    assert client.finish(process).status == -9
    assert (is_there("one"), is_there("two")) == (True, False)
    done = client.expect(0, *words)
    one, two = json.loads(done.stdout)["kernels"]
    assert (one["variants"], two["variants"]) == ([], ["torch-cpu"])
    assert "building one-" not in done.stderr
    again = client(*words)
    assert [each["variants"] for each in json.loads(again.stdout)["kernels"]] == [[], []]
    states = json.loads(client("status", *map(str, folders), "--json").stdout)["kernels"]
    assert [row["state"] for each in states for row in each["variants"]] == ["published"] * 2
