"""`verify` of what others publish: names, files and builders that are not what they seem."""

# ruff: noqa: F811 (fixtures of other suites, which are imported)

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextvars import copy_context
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kernel_builder.commands.group import cli
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.settings import Settings, use_settings
from kernel_builder.trust.verify import fetch_published
from kernel_builder.variants.result import hash_as_stated
from tests.evaluation import VARIANT
from tests.hub.built import make_bundle
from tests.hub.client import REPO, Uploader
from tests.hub.conftest import client, hub, isolated, upload  # noqa: F401 (fixtures)
from tests.hub.exchange import Hub
from tests.hub.test_verify import OTHER, Source, bundle, commit, git, source  # noqa: F401


@pytest.fixture(autouse=True)
def settings() -> Iterator[None]:
    with use_settings(Settings(untrusted=True, allow_vulnerable=True)):
        yield


def ask(*words: str) -> tuple[int, dict[str, Any], str]:
    """Return status, verdict and error of `verify`, within this process."""
    argv = ["verify", *words, "--json", "--allow-vulnerable-nix"]
    done = copy_context().run(CliRunner().invoke, cli, argv, standalone_mode=False)
    if isinstance(done.exception, KernelBuilderError):
        return 1, {}, str(done.exception)
    return done.return_value, json.loads(done.stdout), ""


# ---- what the Hub lists ----

NAMES = [
    f"build/{VARIANT}/../../../../escaped",
    "build/x/../y/metadata.json",
    "build/../metadata.json",
    f"build/{VARIANT}/\x1b[2J",
    f"build//{VARIANT}/x",
    f"build/{VARIANT}/{'x' * 300}",
]


@pytest.mark.attack(
    "verify", "a hostile Hub lists `build/V/../../x` and its kind", "refused by name"
)
@pytest.mark.parametrize("name", NAMES)
def test_names_of_the_hub(upload: Uploader, hub: Hub, tmp_path: Path, name: str) -> None:
    assert upload(make_bundle(tmp_path / "made", VARIANT)).status == 0
    put = [("file", name, b"evil")]
    hub.repositories.get(REPO).commit("v1", None, "evil", put, create_pr=False)
    _, _, said = ask(REPO)
    assert said.startswith(f"the Hub lists names in {REPO} that are no files")
    assert f"found  {name!a}" in said
    assert not list(tmp_path.rglob("*escaped*"))


# ---- what a folder holds ----


@pytest.mark.attack("verify", "names below build/ that are patterns, or of other systems", "told")
def test_names_that_are_not_fetched(upload: Uploader, hub: Hub, tmp_path: Path) -> None:
    assert upload(make_bundle(tmp_path / "made", VARIANT)).status == 0
    names = [f"[x]{VARIANT}", "[a]x.py", "evil-aarch64-linux", "evil-x86_64-linux", "e*", "sandbox"]
    put = [("file", f"build/{n}{'' if n.endswith('.py') else '/x.py'}", b"evil") for n in names]
    hub.repositories.get(REPO).commit("v1", None, "evil", put, create_pr=False)
    (tmp_path / "fetched").mkdir()
    _, strays = fetch_published(REPO, [], tmp_path / "fetched")
    assert sorted(strays) == sorted(names)
    # A name is no pattern: nothing else is fetched for it.
    assert (tmp_path / "fetched" / "build" / f"[x]{VARIANT}" / "x.py").exists()


@pytest.mark.attack(
    "verify", "another file with its digest in metadata.json, and a flake that gives both", "told"
)
def test_a_flake_that_agrees(source: Source, bundle: Path, tmp_path: Path) -> None:
    """What is compared is the output of the variant's own derivation, of our own library."""
    theirs = tmp_path / "theirs"
    git(source.folder, "clone", "--quiet", ".", str(theirs))
    git(theirs, "checkout", "--quiet", source.first)
    flake = theirs / "tiny" / "flake.nix"
    text = flake.read_text().replace("outputs =", "outputs = inputs: throw 1; others =")
    flake.write_text(text)
    new = commit(theirs)
    file, metadata = bundle / VARIANT / "__init__.py", bundle / VARIANT / "metadata.json"
    old = hash_as_stated(file)
    file.write_text(OTHER)
    stated = metadata.read_text().replace(source.first, new)
    metadata.write_text(stated.replace(old, hash_as_stated(file)))
    words = ("--source", str(theirs), *source.words[2:])
    status, verdict, said = ask(str(bundle), *words)
    assert (status, said) == (1, "")
    assert verdict["differences"][f"build/{VARIANT}/__init__.py"] == "other bytes"
    assert verdict["differences"][f"build/{VARIANT}/metadata.json"] == "other bytes"
    note = "flake.nix does more than call genKernelFlakeOutputs, and that is not applied"
    assert note in verdict["notes"]


@pytest.mark.attack("verify", "a pipe or a linked folder in what `verify` reads", "refused")
def test_links_and_pipes(source: Source, bundle: Path, tmp_path: Path) -> None:
    words = (str(bundle), *source.words)
    os.mkfifo(bundle / VARIANT / "x.py")
    assert "found  a named pipe" in ask(*words)[2]
    (bundle / VARIANT / "x.py").unlink()
    (bundle / VARIANT / "tiny2").symlink_to(tmp_path)
    assert "found  a symbolic link" in ask(*words)[2]


@pytest.mark.attack("verify", "build.toml is /dev/zero in the repository of `verify`", "not read")
def test_endless_file(bundle: Path, tmp_path: Path) -> None:
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    (hostile / "build.toml").symlink_to("/dev/zero")
    (hostile / "flake.nix").write_text("{ outputs = _: { }; }")
    git(hostile, "init", "--quiet")
    new = commit(hostile)
    metadata = bundle / VARIANT / "metadata.json"
    data = json.loads(metadata.read_text())
    data["provenance"]["kernel"]["commit"] = new
    metadata.write_text(json.dumps(data))
    assert (
        "which kernel it was is not clear: 0 fit" in ask(str(bundle), "--source", str(hostile))[2]
    )
