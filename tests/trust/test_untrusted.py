"""A kernel of others is data: which files are read, which kernel-builder reads them, and where."""

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.settings import change_settings
from kernel_builder.trust import trusted_builder
from kernel_builder.trust.flake_text import Named, list_unapplied, read_builder
from kernel_builder.trust.trusted_builder import choose_builder
from tests.cli.command_line import Cli, path_with_nix
from tests.tiny_kernel import TinyKernel, commit_all, git
from tests.trust.conftest import COMMIT, HASH, Run
from tests.trust.test_verify import FLAKE

VARIANT = "torch-cpu\n"


# ---- files ----


@pytest.mark.attack("list-variants --untrusted", "links, pipes and sockets", "left out, not read")
def test_files_of_other_kinds(run: Run, kernel: TinyKernel, secret: Path) -> None:
    package = kernel.folder / "torch-ext" / "tiny"
    (package / "key.py").symlink_to(secret / "id_rsa")
    (package / "keys").symlink_to(secret)
    os.mkfifo(package / "pipe.py")
    with socket.socket(socket.AF_UNIX) as opened:
        # An address is short.
        place = Path.cwd()
        os.chdir(package)
        opened.bind("socket.py")
        os.chdir(place)
    (kernel.folder / ".git" / "hooks").mkdir(parents=True)
    (kernel.folder / ".git" / "hooks" / "none").symlink_to(secret)
    done = run("list-variants")
    assert done.status == 0, done.stderr
    shown = ", ".join(
        f"torch-ext/tiny/{name}" for name in ("key.py", "keys", "pipe.py", "socket.py")
    )
    assert f"links and files of other kinds are left out: {shown}\n" in done.stderr


@pytest.mark.attack("check-config --untrusted", "build.toml is a link, or /dev/zero", "not read")
@pytest.mark.parametrize("target", ["/dev/zero", "secret/id_rsa", "none"])
def test_build_toml_is_a_link(run: Run, kernel: TinyKernel, secret: Path, target: str) -> None:
    (kernel.folder / "build.toml").unlink()
    (kernel.folder / "build.toml").symlink_to(secret.parent / target)
    done = run("check-config")
    assert done.status == 1
    assert "found  a symbolic link" in done.stderr


@pytest.mark.attack("list-variants --untrusted", "no build.toml, but one above", "not read")
def test_nothing_above_is_read(run: Run, kernel: TinyKernel) -> None:
    (kernel.folder / "build.toml").rename(kernel.folder.parent / "build.toml")
    done = run("list-variants")
    assert (done.status, done.stdout) == (1, "")
    assert "found  no build.toml" in done.stderr


@pytest.mark.attack(
    "list-variants --untrusted", "a folder of 20 GB, with and without git", "refused"
)
@pytest.mark.parametrize("place", ["large", "torch-ext/.git/large"])
def test_a_huge_folder(run: Run, kernel: TinyKernel, place: str) -> None:
    file = kernel.folder / place
    file.parent.mkdir(exist_ok=True)
    with file.open("wb") as opened:
        opened.truncate(20 * 2**30)
    done = run("list-variants")
    # The folder .git is not copied.
    assert done.status == (1 if place == "large" else 0)
    assert ("largest file is" in done.stderr) == (place == "large")


@pytest.mark.attack("build --untrusted", "filters, hooks and fsmonitor in .git/config", "not run")
def test_git_is_not_asked(run: Run, kernel: TinyKernel, tmp_path: Path) -> None:
    commit_all(kernel.folder)
    for key in ("core.fsmonitor", "filter.x.clean", "core.sshCommand", "diff.external"):
        git(kernel.folder, "config", key, f"touch {tmp_path}/harm")
    kernel.write(".gitattributes", "* filter=x\n")
    assert run("build", "--dry-run").status == 0
    assert not (tmp_path / "harm").exists()


# ---- flake.nix ----


@pytest.mark.parametrize(
    ("call", "given"),
    [
        ("inherit self; path = ./.;", None),
        ("inherit self; path = ./.; overlays = [ (import ./x.nix) ];", "overlays"),
        ("inherit self; path = ./.; torchVersions = all: [ ];", "torchVersions"),
        ("inherit self; path = ./sub;", "path"),
        ("inherit self; path = ./.; more = { };", ""),
    ],
)
def test_what_a_flake_passes(tmp_path: Path, call: str, given: str | None) -> None:
    text = FLAKE.replace("inherit self;\n    path = ./.;", call)
    (tmp_path / "flake.nix").write_text(text)
    passes = "flake.nix passes more than `self` and `path = ./.`, not applied: "
    other = "flake.nix does more than call genKernelFlakeOutputs, and that is not applied"
    noted = {None: [], "": [other]}.get(given, [f"{passes}{given}"])
    assert list_unapplied(tmp_path) == noted


# ---- flake.lock ----

PIN = {"type": "github", "owner": "own", "repo": "kernel-builder", "rev": COMMIT, "narHash": HASH}
PINS: dict[str, dict[str, Any]] = {
    "a path": {**PIN, "type": "path", "path": "/root/.ssh"},
    "a command": {**PIN, "type": "git", "url": "ext::sh -c id"},
    "a login": {**PIN, "type": "git", "url": "https://me:x@h.invalid/k"},
    "a forge of its own": {**PIN, "host": "h.invalid"},
    "an option": {**PIN, "rev": "--upload-pack=id"},
    "no hash": {**PIN, "narHash": "sha256-"},
    "no commit": {key: value for key, value in PIN.items() if key != "rev"},
}
LOCKS = {
    **{name: {"root": {"inputs": {"kernel-builder": "b"}}, "b": {"locked": pin}}
       for name, pin in PINS.items()},
    "no input": {"root": {"inputs": {"s": "b"}}, "b": {"locked": PIN}},
    "a circle": {"root": {"inputs": {"kernel-builder": ["kernel-builder"]}}},
    "no map": [],
}  # fmt: skip
TEXTS = {
    **{
        name: json.dumps({"version": 7, "root": "root", "nodes": each})
        for name, each in LOCKS.items()
    },
    "no JSON": "{",
    "a depth bomb": "[" * 100_000,
}


@pytest.mark.attack(
    "build --untrusted", "a lock that leads elsewhere, or of another form", "not used"
)
@pytest.mark.parametrize("name", TEXTS)
def test_odd_lock(tmp_path: Path, name: str) -> None:
    (tmp_path / "flake.lock").write_text(TEXTS[name])
    with pytest.raises(ValueError, match="names no commit of a kernel-builder"):
        read_builder(tmp_path)


def write_lock(folder: Path, commit: str, digest: str = HASH) -> None:
    locked = {**PIN, "rev": commit, "narHash": digest}
    nodes = {"root": {"inputs": {"kernel-builder": "b"}}, "b": {"locked": locked}}
    (folder / "flake.lock").write_text(json.dumps({"version": 7, "root": "root", "nodes": nodes}))


def test_an_ordinary_lock(tmp_path: Path) -> None:
    assert read_builder(tmp_path) is None
    write_lock(tmp_path, COMMIT)
    named = Named("https://github.com/own/kernel-builder", COMMIT, HASH)
    assert read_builder(tmp_path) == named


@pytest.fixture
def trusted(tmp_path: Path) -> Path:
    """A checkout of a kernel-builder that the user trusts."""
    folder = tmp_path / "trusted"
    folder.mkdir()
    (folder / "flake.nix").write_text("{ outputs = _: { }; }\n")
    (folder / "text").write_text(f"{tmp_path}\n")
    commit_all(folder)
    change_settings(builder=str(folder), allow_vulnerable=True)
    return folder


@pytest.mark.attack(
    "build --untrusted", "the lock names a commit, and the hash of another tree", "refused"
)
def test_another_hash(trusted: Path, tmp_path: Path) -> None:
    write_lock(tmp_path, git(trusted, "rev-parse", "HEAD"))
    with pytest.raises(KernelBuilderError, match="another hash than its commit has"):
        choose_builder(tmp_path)


@pytest.mark.attack(
    "build --untrusted", "the lock names a commit of a fork, which a forge gives for the original",
    "the running kernel-builder builds, and says so",
)  # fmt: skip
def test_a_commit_of_a_fork(trusted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forge = tmp_path / "forge"
    git(trusted, "clone", "--quiet", ".", str(forge))
    for name in ("theirs", "newer"):
        git(forge, "commit", "--quiet", "--allow-empty", "-m", name)
        if name == "theirs":
            git(forge, "update-ref", "refs/pull/1/head", "HEAD")
            git(forge, "config", "uploadpack.allowAnySHA1InWant", "true")
            fork = git(forge, "rev-parse", "HEAD")
            git(forge, "reset", "--quiet", "--hard", "HEAD~1")
    newer = git(forge, "rev-parse", "HEAD")
    monkeypatch.setattr(trusted_builder, "_find_repository", lambda _: f"file://{forge}")
    address = f"file://{forge}"
    monkeypatch.setattr(trusted_builder, "read_builder", lambda _: Named(address, fork, HASH))
    builder, notes = choose_builder(tmp_path)
    assert builder.tree.commit == git(trusted, "rev-parse", "HEAD")
    assert notes == [
        "the commit that flake.lock names cannot be had: "
        f"no branch or tag of {address} has {fork}: "
        "built with the running kernel-builder"
    ]
    digest = builder.tree.digest
    monkeypatch.setattr(trusted_builder, "read_builder", lambda _: Named(address, newer, digest))
    builder, notes = choose_builder(tmp_path)
    assert (builder.tree.commit, notes) == (newer, [])


@pytest.mark.attack(
    "list-variants --untrusted", "a flake with arguments, a lock to another builder", "told"
)
def test_what_is_told(run: Run, kernel: TinyKernel) -> None:
    write_lock(kernel.folder, COMMIT)
    call = "path = ./.; torchVersions = _: throw 1;"
    kernel.write("flake.nix", FLAKE.replace("path = ./.;", call))
    done = run("list-variants", "--arch")
    assert (done.status, done.stdout) == (0, VARIANT), done.stderr
    assert "flake.lock names a commit of another repository, https://github.com/own" in done.stderr
    assert "not applied: torchVersions" in done.stderr
    done = run("build", "--dry-run")
    assert done.status == 0, done.stderr
    assert "\ntiny: flake.nix passes more than" in done.stdout


@pytest.mark.attack(
    "build --untrusted", "`sandbox = relaxed`, or a fallback, on this machine", "refused"
)
@pytest.mark.parametrize("setting", ["sandbox relaxed", "sandbox false", "sandbox-fallback true"])
def test_no_sandbox(run: Run, setting: str) -> None:
    done = run("build", "--option", *setting.split())
    assert done.status == 1
    assert "a kernel of others is built in the sandbox alone" in done.stderr


@pytest.mark.attack("build --untrusted", "a Nix with CVE-2024-27297", "refused")
def test_vulnerable_nix(tmp_path: Path, kernel: TinyKernel) -> None:
    path = path_with_nix(tmp_path / "bin", "nix (Nix) 2.18.1")
    done = Cli(tmp_path)("build", str(kernel.folder), "--untrusted", PATH=path)
    assert done.status == 1
    assert "found  Nix 2.18.1, which has CVE-2024-27297" in done.stderr
    assert "--allow-vulnerable-nix" in done.stderr
