"""A repository's own .git/config, attributes and hooks: nothing that they name is run."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel_builder.machine import git
from tests.cli.command_line import Cli
from tests.cli.conftest import *  # noqa: F403  (fixtures)
from tests.cli.fake_kernel import FakeKernel


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    return tmp_path / "proof"


@pytest.fixture
def evil(tmp_path: Path, proof: Path) -> str:
    """Return a program that leaves a proof, and hands on what it gets."""
    program = tmp_path / "evil"
    program.write_text(f"#!/bin/sh\necho $0 $* $HF_TOKEN >>{proof}\ncat\n")
    program.chmod(0o755)
    return str(program)


@pytest.fixture
def repository(kernel: FakeKernel) -> Path:
    """Return a kernel in a repository with one commit, whose files look changed."""
    kernel.add("one")
    folder = kernel.write()
    (folder / "data.txt").write_text("data\n")
    for words in (
        ["init", "-q"],
        ["add", "."],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one"],
    ):
        subprocess.run(["git", "-C", str(folder), *words], check=True, capture_output=True)
    # git compares a file with what it has only if its time differs.
    os.utime(folder / "data.txt", (time.time() + 10, time.time() + 10))
    return folder


def configure(folder: Path, *settings: tuple[str, str]) -> None:
    for key, value in settings:
        argv = ["git", "-C", str(folder), "config", key, value]
        subprocess.run(argv, check=True, capture_output=True)


def add_fsmonitor(folder: Path, evil: str) -> None:
    configure(folder, ("core.fsmonitor", evil))


def add_filter(folder: Path, evil: str) -> None:
    # A name with the sign that separates keys from values elsewhere.
    configure(folder, ("filter.a=b.clean", evil), ("filter.a=b.required", "true"))
    (folder / ".gitattributes").write_text("* filter=a=b\n")


def add_process(folder: Path, evil: str) -> None:
    configure(folder, ("filter.x.process", evil), ("filter.x.smudge", evil))
    (folder / ".gitattributes").write_text("* filter=x\n")


def add_included_filter(folder: Path, evil: str) -> None:
    (folder / ".git" / "more").write_text(f'[filter "x"]\n\tclean = {evil}\n')
    (folder / ".gitattributes").write_text("* filter=x\n")
    configure(folder, ("include.path", "more"))


def add_worktree_filter(folder: Path, evil: str) -> None:
    configure(folder, ("extensions.worktreeConfig", "true"))
    (folder / ".git" / "config.worktree").write_text(f'[filter "x"]\n\tclean = {evil}\n')
    (folder / ".gitattributes").write_text("* filter=x\n")


def add_external_diff(folder: Path, evil: str) -> None:
    configure(folder, ("diff.external", evil), ("diff.x.command", evil), ("diff.x.textconv", evil))
    configure(folder, ("diff.trustExitCode", "true"))
    (folder / ".gitattributes").write_text("* diff=x\n")


def add_hooks(folder: Path, evil: str) -> None:
    for name in ("post-index-change", "pre-auto-gc", "reference-transaction", "post-checkout"):
        (folder / ".git" / "hooks").mkdir(exist_ok=True)
        (folder / ".git" / "hooks" / name).symlink_to(evil)
    (folder / "hooks").mkdir()
    configure(folder, ("core.hooksPath", str(folder / ".git" / "hooks")))


def add_pager(folder: Path, evil: str) -> None:
    configure(folder, ("core.pager", evil), ("pager.ls-files", evil), ("core.editor", evil))


ADDERS = [
    add_fsmonitor, add_filter, add_process, add_included_filter, add_worktree_filter,
    add_external_diff, add_hooks, add_pager,
]  # fmt: skip


@pytest.mark.attack("check-config", "core.fsmonitor in .git/config", "not run")
@pytest.mark.attack(
    "check-config",
    "filter, process, include, worktree, diff, hook, pager in .git/config",
    "not run",
)
@pytest.mark.parametrize("add", ADDERS)
def test_a_hostile_repository(
    add: Callable[[Path, str], None], repository: Path, evil: str, proof: Path, cli: Cli
) -> None:
    add(repository, evil)
    done = cli("check-config", str(repository), HF_TOKEN="hf_canaryCanaryCanary")
    assert "error" not in done.stderr, done.stderr
    git.list_untracked(repository)
    git.find_address(repository)
    git._git(repository, "diff", "HEAD", "--quiet")
    assert not proof.exists(), proof.read_text()


@pytest.mark.parametrize("add", [add_fsmonitor, add_filter])
def test_they_would_run(
    add: Callable[[Path, str], None], repository: Path, evil: str, proof: Path
) -> None:
    """Without the defence, so that the test above can fail."""
    add(repository, evil)
    argv = ["git", "-C", str(repository), "diff", "HEAD", "--quiet"]
    subprocess.run(argv, check=False, capture_output=True)
    assert proof.exists()


@pytest.mark.attack("verify", "core.sshCommand, gitProxy, credential.helper, ext::", "not run")
@pytest.mark.parametrize(
    "address",
    [
        "ext::sh -c touch% PROOF",
        "ssh://127.0.0.1:1/x",
        "git://127.0.0.1:1/x",
        "http://127.0.0.1:1/",
    ],
)
def test_a_hostile_remote(address: str, repository: Path, evil: str, proof: Path) -> None:
    configure(
        repository,
        ("core.sshCommand", evil),
        ("core.gitProxy", evil),
        ("core.askPass", evil),
        ("credential.helper", f"!{evil}"),
        ("credential.http://127.0.0.1:1.helper", f"!{evil}"),
        ("protocol.ext.allow", "always"),
        ("core.alternateRefsCommand", evil),
        ("remote.origin.url", address.replace("PROOF", str(proof))),
        ("remote.origin.uploadpack", evil),
    )
    assert git._git(repository, "fetch", "origin").status != 0
    assert not proof.exists(), proof.read_text()


@pytest.mark.attack("verify --source", "`ext::` and `--upload-pack`", "refused")
@pytest.mark.parametrize("source", ["ext::sh -c touch% PROOF", "--upload-pack=touch PROOF"])
def test_a_hostile_source(source: str, tmp_path: Path, proof: Path) -> None:
    (tmp_path / "clone").mkdir()
    said = git.check_out(source.replace("PROOF", str(proof)), "0" * 40, tmp_path / "clone")
    assert said
    assert not proof.exists()


def test_what_the_user_has_set_stays(
    repository: Path, evil: str, proof: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A filter of the user's own settings runs, as git-lfs has to."""
    (tmp_path / "own").write_text(f'[filter "x"]\n\tclean = {evil}\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "own"))
    (repository / ".gitattributes").write_text("* filter=x\n")
    configure(repository, ("filter.x.clean", "false"))
    git._git(repository, "diff", "HEAD", "--quiet")
    assert proof.exists()
