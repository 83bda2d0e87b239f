"""Options of uploads that Hugging Face's tool has, and the owner of a kernel that has no name."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.fake_kernel import FakeKernel, forget
from tests.hub.built import make_bundle
from tests.hub.client import REPO, Client, Uploader
from tests.hub.exchange import Hub

CPU = "torch213-cxx11-cpu-x86_64-linux"


def test_the_result_goes_to_a_file(
    upload: Uploader, bundle: Path, hub: Hub, tmp_path: Path
) -> None:
    file = tmp_path / "summary.json"
    for status in ("uploaded", "no_changes"):
        done = upload(bundle, "--output-json", str(file))
        assert done.status == 0
        assert json.loads(file.read_text()) == {
            "status": status,
            "repo_id": REPO,
            "branch": "v1",
            "url": f"{hub.url}/kernels/{REPO}",
            "pull_requests": [],
        }
    other = make_bundle(tmp_path / "other", CPU, salt="other")
    upload(other, "--create-pr", "--output-json", str(file))
    summary = json.loads(file.read_text())
    assert summary["status"] == "pull_request_created"
    assert [each["branch"] for each in summary["pull_requests"]] == ["v1"]


def test_a_repository_of_models(upload: Uploader, bundle: Path, hub: Hub) -> None:
    done = upload(bundle, "--repo-type", "model")
    assert done.status == 0, done.stderr
    assert done.stdout.splitlines()[-1] == f"{hub.url}/{REPO}"
    files = hub.repositories.get(REPO, "models").summarize()["refs/heads/v1"]
    assert f"build/{CPU}/metadata.json" in files
    assert not hub.repositories.get(REPO).exists
    again = upload(bundle, "--repo-type", "model")
    assert again.stdout.startswith("v1: everything is there already")


def test_the_name_is_that_of_the_login(client: Client, tmp_path: Path) -> None:
    done = client("init", str(tmp_path / "hello"), "--backends", "cpu")
    assert done.status == 0, done.stderr
    assert 'repo-id = "somebody/hello"' in (tmp_path / "hello/build.toml").read_text()


def test_one_variant_is_built_and_uploaded(client: Client, tmp_path: Path) -> None:
    kernel = FakeKernel(tmp_path / "k", salt=str(tmp_path))
    kernel.add(CPU)
    kernel.add("torch-cuda", backend="cuda")
    kernel.write()
    done = client("build-and-upload", str(kernel.folder), "--variant", CPU, "--repo-id", REPO)
    # The stand-in of a bundle has no files; only the named variant was built for it.
    assert "torch-cuda" not in done.stderr
    assert f"{CPU}  built" in done.stderr
    forget(kernel.folder)
