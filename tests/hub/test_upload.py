"""An upload changes some files on the Hub, leaves others alone, and says so."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import snapshot_download

from kernel_builder.variants.outcome import BuildResult
from kernel_builder.variants.sandbox import OFF
from kernel_builder.variants.table import Choice
from tests.hub.built import Evaluated, make_bundle, write_state, write_variant
from tests.hub.client import REPO, TOKEN, Client, Uploader, files_of, invoke, variants_of
from tests.hub.exchange import Fault, Hub
from tests.tiny_kernel import git

CPU = "torch213-cxx11-cpu-x86_64-linux"
CUDA = "torch-cuda"
WRITING = ("POST", "PUT")


def writes(hub: Hub) -> list[str]:
    return [each for each in hub.faults.requests if each.startswith(WRITING)]


def test_the_build_goes_to_its_version_and_the_card_to_main(
    upload: Uploader, bundle: Path, hub: Hub
) -> None:
    done = upload.expect(0, bundle)
    assert variants_of(hub) == {CPU, CUDA}
    assert {f"provenance/{CPU}.cdx.json", "benchmarks/benchmark.py"} <= set(files_of(hub))
    assert "README.md" not in files_of(hub)
    assert set(files_of(hub, "refs/heads/main")) == {".gitattributes", "README.md"}
    assert done.stdout.splitlines()[-1] == f"{hub.url}/kernels/{REPO}"


def test_stale_files_of_the_uploaded_variants_go_and_others_stay(
    upload: Uploader, tmp_path: Path, hub: Hub
) -> None:
    upload(make_bundle(tmp_path / "old", CPU, CUDA, salt="old"))
    before = files_of(hub)
    upload(make_bundle(tmp_path / "new", CPU, salt="new"))
    after = files_of(hub)
    libraries = [path for path in after if path.startswith(f"build/{CPU}/_tiny")]
    assert len(libraries) == 1
    assert libraries[0] not in before
    assert {p: i for p, i in after.items() if CUDA in p} == {
        p: i for p, i in before.items() if CUDA in p
    }


def test_what_a_kernel_does_not_say(upload: Uploader, bundle: Path) -> None:
    said = ("warning: no `source` in build.toml", "warning: no text of a licence is published")
    before = upload(bundle, "--dry-run").stderr
    for file in bundle.glob("*/metadata.json"):
        file.write_text(json.dumps({**json.loads(file.read_text()), "source": "https://x"}))
        (file.parent / "licenses").mkdir()
        (file.parent / "licenses/LICENSE").write_text("A text.\n")
    after = upload(bundle, "--dry-run").stderr
    assert [(text in before, text in after) for text in said] == [(True, False)] * 2


def test_bytecode_stays_here(upload: Uploader, bundle: Path, hub: Hub) -> None:
    cache = bundle / CPU / "__pycache__"
    cache.mkdir()
    (cache / "x.cpython-311.pyc").write_bytes(b"\0")
    assert upload(bundle).status == 0
    assert not [path for path in files_of(hub) if "pycache" in path]


def test_a_dry_run_lists_and_writes_nothing(
    upload: Uploader, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(make_bundle(tmp_path / "old", CPU, salt="old"))
    hub.faults.reset()
    monkeypatch.delenv("HF_TOKEN")
    done = upload.expect(0, make_bundle(tmp_path / "new", CPU, salt="new"), "--dry-run")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert [words[1] for words in lines if words[0] == "remove"] == [
        path for path in files_of(hub) if path.endswith(".so")
    ]
    added = [words[1] for words in lines if words[0] == "add"]
    assert f"build/{CPU}/metadata.json" in added
    assert f"build/{CPU}/__init__.py" not in added
    assert writes(hub) == []


@pytest.mark.parametrize("branch", ["try/this", "main"])
def test_another_branch(upload: Uploader, bundle: Path, hub: Hub, branch: str) -> None:
    assert upload(bundle, "--branch", branch).status == 0
    assert variants_of(hub, f"refs/heads/{branch}") == {CPU, CUDA}
    assert "README.md" in files_of(hub, "refs/heads/main")
    assert "refs/heads/v1" not in hub.repositories.get(REPO).summarize()


def test_a_new_version_starts_without_the_builds_of_others(
    upload: Uploader, tmp_path: Path, hub: Hub
) -> None:
    upload(make_bundle(tmp_path / "old", CUDA), "--branch", "main")
    second = make_bundle(tmp_path / "second", CPU)
    write_variant(second / CPU, version=2)
    assert upload(second).status == 0
    assert variants_of(hub, "refs/heads/v2") == {CPU}


READER = "hf_" + "rEaDoNlYrEaDoNlYrEaDoNly"


def test_pull_requests(
    upload: Uploader, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload(make_bundle(tmp_path / "old", CPU, salt="old"))
    before = hub.repositories.get(REPO).summarize()
    new = make_bundle(tmp_path / "new", CPU, CUDA, salt="new", card="---\na: b\n---\norg/tiny\n")
    hub.tokens[READER] = set()
    monkeypatch.setenv("HF_TOKEN", READER)
    done = upload.expect(0, new, "--create-pr")
    after = hub.repositories.get(REPO).summarize()
    assert {ref: after[ref] for ref in before} == before
    assert variants_of(hub, "refs/pr/1") == {CPU, CUDA}
    assert after["refs/pr/2"]["README.md"] != before["refs/heads/main"]["README.md"]
    assert f"in {hub.url}/kernels/{REPO}/discussions/1" in done.stdout


# Before Nix 2.17, a tree with changes has no commit at all.
@pytest.mark.parametrize("what", ["kernel", "kernel-builder", ""])
def test_a_dirty_build_when_asked(upload: Uploader, tmp_path: Path, hub: Hub, what: str) -> None:
    git(tmp_path, "init", "--quiet")
    bundle = make_bundle(tmp_path / "bundle", CPU)
    dirty = {what: {"version": "1", "commit": "b" * 40, "dirty": True}} if what else {}
    write_variant(bundle / CPU, provenance={"kernel-builder": {"version": "1"}, **dirty})
    refused = upload.expect(1, bundle)
    assert f"built while {what or 'kernel'} had changes that are not committed" in refused.stderr
    assert hub.faults.requests == []
    assert upload(bundle, "--allow-dirty").status == 0
    write_variant(bundle / CPU, provenance={})
    assert upload(bundle).status == 0


def test_tokens_stay_secret_in_the_librarys_log(client: Client, bundle: Path, hub: Hub) -> None:
    client.variables.update(HF_DEBUG="1", HF_HUB_VERBOSITY="debug")
    hub.faults.reset(*[Fault("500 before", number) for number in (9, 11, 13)])
    done = client.upload(bundle)
    assert done.status == 0
    assert "HTTP Error 500" in done.stderr
    assert TOKEN not in done.stderr
    assert "secret-of-the-address" not in done.stderr


def test_it_says_what_it_did(upload: Uploader, bundle: Path) -> None:
    said = upload(bundle, "--dry-run").stdout
    assert " files to add, 0 to remove\n" in said
    assert "get_kernel" not in said
    said = upload(bundle).stdout
    assert " files added, 0 removed\n" in said
    assert f'load it: kernels.get_kernel("{REPO}", version=1)\n' in said
    said = upload(bundle, "--branch", "next").stdout
    assert f'load it: kernels.get_kernel("{REPO}", revision="next")\n' in said


def test_from_python(upload: Uploader, bundle: Path, hub: Hub) -> None:
    import kernel_builder

    assert upload.hub is hub
    options = kernel_builder.UploadOptions(repo_id=REPO)
    (version, main) = kernel_builder.upload(bundle, options)["branches"]
    assert variants_of(hub) == {CPU, CUDA}
    assert (version["branch"], main["add"]) == ("v1", ["README.md"])
    assert version["commit"] == hub.repositories.get(REPO).read()["refs"]["refs/heads/v1"]


def test_a_fetched_repository_keeps_its_lists(upload: Uploader, bundle: Path, hub: Hub) -> None:
    """The Hub has variants in build/, and the files beside them one folder higher."""
    upload(bundle)
    fetched = bundle.with_name("fetched")
    for name in (CPU, CUDA, "sandbox"):
        shutil.copytree(bundle / name, fetched / "build" / name)
    for name in ("provenance", "benchmarks"):
        shutil.copytree(bundle / name, fetched / name)
    hub.faults.reset()
    done = upload(fetched)
    assert done.stdout.startswith("v1: everything is there already\n")
    assert writes(hub) == []
    assert f"provenance/{CPU}.cdx.json" in files_of(hub)


def test_the_result_goes_to_a_file(
    upload: Uploader, bundle: Path, hub: Hub, tmp_path: Path
) -> None:
    file = tmp_path / "summary.json"
    for status in ("uploaded", "no_changes"):
        upload.expect(0, bundle, "--output-json", str(file))
        assert json.loads(file.read_text()) == {
            "status": status,
            "repo_id": REPO,
            "branch": "v1",
            "url": f"{hub.url}/kernels/{REPO}/tree/v1" if status == "uploaded" else None,
            "pull_requests": [],
        }
    other = make_bundle(tmp_path / "other", CPU, salt="other")
    upload(other, "--create-pr", "--output-json", str(file))
    summary = json.loads(file.read_text())
    assert summary["status"] == "pull_request_created"
    assert [each["branch"] for each in summary["pull_requests"]] == ["v1"]


def test_check_builds_compares_sizes_with_those_on_the_hub(
    client: Client, bundle: Path, tmp_path: Path
) -> None:
    done = client.upload(bundle)
    assert done.status == 0, done.stderr
    kernel = tmp_path / "kernel"
    shutil.copytree(bundle, kernel / "build")
    (kernel / "build" / CPU / "more.py").write_text("x" * 1000)
    text = f'[general]\nname = "tiny"\nversion = 1\nhub.repo-id = "{REPO}"\n'

    def ask(text: str, *words: str) -> dict[str, tuple[int, int | None]]:
        (kernel / "build.toml").write_text(text)
        rows = json.loads(client("check-builds", str(kernel), "--json", *words).stdout)["checks"]
        facts = [row for row in rows if row["check"] == "facts"]
        return {row["variant"]: (row["size"], row["published-size"]) for row in facts}

    sizes = ask(text)
    assert sizes[CPU][0] - 1000 == sizes[CPU][1]
    assert sizes[CUDA][0] == sizes[CUDA][1]
    for other in (text.replace(REPO, "org/none"), text.replace("= 1", "= 2"), "general.hub = 3"):
        assert {published for _, published in ask(other).values()} == {None}
    assert ask(text, "--offline")[CPU][1] is None


def test_variants_by_name_are_built_and_uploaded_and_others_stay(
    upload: Uploader, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert upload(make_bundle(tmp_path / "old", CPU, CUDA, salt="old")).status == 0
    before = files_of(hub)
    new, asked = make_bundle(tmp_path / "new", CPU, salt="new"), []

    def build(_folders: Sequence[Path], choice: Choice) -> list[BuildResult]:
        asked.append(choice)
        kernel: Any = Evaluated(tmp_path, REPO, (CPU, CUDA))
        return [BuildResult("tiny", {}, 0, kernel, bundle=str(new))]

    monkeypatch.setattr("kernel_builder.commands.results.build_before", build)
    words = ("build-and-upload", str(tmp_path))
    refused = invoke(*words)
    assert refused.status == 1
    assert f"at     {CUDA}\n       found  not built\n" in refused.stderr
    done = invoke(*words, "--variant", CPU, "--variant", "torch-cpu")
    assert done.status == 0, done.stderr
    assert asked == [Choice(require_all=True), Choice((CPU, "torch-cpu"), require_all=True)]
    after = files_of(hub)
    changed = {path for path in {**before, **after} if before.get(path) != after.get(path)}
    assert changed
    assert {path for path in changed if CUDA in path} == set()


def test_a_repository_of_models(upload: Uploader, bundle: Path, hub: Hub) -> None:
    done = upload.expect(0, bundle, "--repo-type", "model")
    assert done.stdout.splitlines()[-1] == f"{hub.url}/{REPO}"
    files = hub.repositories.get(REPO, "models").summarize()["refs/heads/v1"]
    assert f"build/{CPU}/metadata.json" in files
    assert not hub.repositories.get(REPO).exists
    again = upload(bundle, "--repo-type", "model")
    assert again.stdout.startswith("v1: everything is there already")
    # So do clients before 0.13: with a version they ask for its branch, without one for main.
    assert upload(bundle, "--repo-type", "model", "--branch", "main").status == 0
    for branch in ("v1", "main"):
        here = snapshot_download(REPO, revision=branch, allow_patterns=[f"build/{CPU}/*"])
        assert (Path(here) / "build" / CPU / "tiny" / "__init__.py").is_file()


def test_the_name_is_that_of_the_login(client: Client, tmp_path: Path) -> None:
    client.expect(0, "init", str(tmp_path / "hello"), "--backends", "cpu")
    assert 'repo-id = "somebody/hello"' in (tmp_path / "hello/build.toml").read_text()


def test_a_build_without_a_sandbox_only_when_asked(
    upload: Uploader, bundle: Path, hub: Hub
) -> None:
    write_state(bundle / CPU, OFF)
    refused = upload.expect(1, bundle)
    assert "1 of 2 variants were not seen to be built in a sandbox" in refused.stderr
    assert f"at     {CPU}\n" in refused.stderr
    assert hub.faults.requests == []
    done = upload.expect(0, bundle, "--allow-unsandboxed", "--json")
    assert json.loads(done.stdout)["sandbox"] == {CPU: "off", CUDA: "on"}
    repository = hub.repositories.get(REPO)
    told = repository.describe(repository.resolve("v1"))
    assert told == f"Sandbox: on ({CUDA})\nSandbox: off ({CPU})"
    assert repository.describe(repository.resolve("main")) == "", "the card is not built"
