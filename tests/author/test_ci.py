""".ci/build-kernel as a CI runs it, from the installation to what arrives on a Hub."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.author.authoring import Author
from tests.evaluation import VARIANT, call, run_nix
from tests.hub.client import TOKEN
from tests.hub.server import serve
from tests.tiny_kernel import commit_all, git
from tests.trust.sigstore_instance import run_instance


@pytest.fixture(scope="module")
def kernel(hello: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("ci") / "hello"
    shutil.copytree(hello, folder, ignore=shutil.ignore_patterns(".git", "build", "result"))
    commit_all(folder)
    assert (folder / "flake.lock").is_file()
    return folder


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Return the secret and the public key of a binary cache."""
    files = [tmp_path_factory.mktemp("key") / name for name in ("secret", "public")]
    run_nix("nix-store", "--generate-binary-cache-key", "cache-1", *map(str, files))
    return files[0].read_text().strip(), files[1].read_text().strip()


@pytest.fixture(scope="module")
def environment(key: tuple[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the variables of a job, on a machine of which `install` changes nothing."""
    place = tmp_path_factory.mktemp("machine")
    conf = Path(os.environ.get("NIX_CONF_DIR", "/etc/nix")) / "nix.conf"
    (place / "etc").mkdir()
    # The users that builds run as are this machine's own: with this line, none are made.
    (group,) = re.findall(r"^(build-users-group =.*)", run_nix("nix", "show-config"), re.MULTILINE)
    theirs = conf.read_text() if conf.is_file() else ""
    (place / "etc/nix.conf").write_text(f"{group}\n{theirs}")
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("HF_")},
        "NIX_CONF_DIR": str(place / "etc"),
        "PREFIX": str(place / "usr"),
        "XDG_DATA_HOME": str(place / "data"),
        "KERNEL_BUILDER_BACKEND": "cpu",
        "BUILD_OPTIONS": f"--variant {VARIANT}",
        "PARTIAL": "true",
        "CACHE": f"file://{place}/cache",
        "CACHE_PUBLIC_KEY": key[1],
        "CACHE_SECRET_KEY": key[0],
        "HF_TOKEN": TOKEN,
    }


@pytest.fixture(scope="module")
def said(author: Author, kernel: Path, environment: dict[str, str]) -> str:
    """Return what the steps before the last print."""
    said = run(author, kernel, environment, "install", "build", "digest", "cache")
    secret = ("HF_TOKEN", "CACHE_SECRET_KEY")
    without = {name: value for name, value in environment.items() if name not in secret}
    return said + run(author, kernel, without, "test")


def run(author: Author, kernel: Path, environment: dict[str, str], *steps: str) -> str:
    said = call(
        author.clone / ".ci/build-kernel",
        *steps,
        cwd=kernel,
        env=environment,
        stdin=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    ).stdout
    assert TOKEN not in said
    assert environment.get("CACHE_SECRET_KEY", TOKEN) not in said
    return said


def test_it_is_built_and_tested(said: str, kernel: Path) -> None:
    assert f"ci-test: {VARIANT}" in said
    assert " passed" in said
    assert (kernel / "build" / VARIANT / "metadata.json").is_file()


@pytest.mark.usefixtures("said")
def test_the_cache_is_named_to_nix_and_has_what_was_compiled(environment: dict[str, str]) -> None:
    conf = Path(environment["NIX_CONF_DIR"]) / "nix.conf"
    assert f"extra-substituters = {environment['CACHE']}" in conf.read_text().splitlines()
    there = run_nix("nix", "path-info", "--store", environment["CACHE"], "--all", "--sigs")
    assert all(line.split()[-1].startswith("cache-1:") for line in there.splitlines())
    names = {line.split()[0].partition("-")[2] for line in there.splitlines()}
    assert any(name.endswith(f"-{VARIANT}") for name in names), names
    assert len([name for name in names if ".cpp" in name]) == 2, names


def test_a_tag_is_signed_and_uploaded_and_nothing_else(
    author: Author, kernel: Path, environment: dict[str, str], said: str, tmp_path: Path
) -> None:
    (digest,) = re.findall(r"^DIGEST=([0-9a-f]{64})$", said, re.MULTILINE)
    # Another job gets files, and no `result`.
    (kernel / "result").unlink()
    with serve(tmp_path / "server") as hub, run_instance() as instance:
        hub.tokens[TOKEN] = {"me"}
        hub.owners.add("me")
        job = {
            **environment,
            "DIGEST": digest,
            "HF_ENDPOINT": hub.url,
            "HF_HOME": str(tmp_path / "hf"),
            "HF_HUB_DISABLE_XET": "1",
            "NO_PROXY": "127.0.0.1",
            **instance.environment,
            "SIGN_OPTIONS": f"--trust-config {instance.write_trust(tmp_path / 'trust.json')}",
        }
        repository = hub.repositories.get("me/hello")
        assert "the commit has no tag" in run(author, kernel, job, "upload")
        assert not repository.exists
        git(kernel, "tag", "v1.0")
        output = run(author, kernel, job, "install", "sign", "upload")
        assert f"signing {VARIANT}\nsigned;" in output
        there = repository.summarize()["refs/heads/v1"]
        assert f"build/{VARIANT}/metadata.json.sigstore" in there
        assert f"provenance/{VARIANT}.slsa.sigstore" in there
