"""A kernel of others: nothing of this machine is read when its flake is evaluated."""

# ruff: noqa: F811 (fixtures of another module, which are imported)

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.fake_kernel import FakeKernel
from tests.security.strangers import (  # noqa: F401 (fixtures)
    COMMIT,
    HASH,
    Run,
    kernel,
    lock,
    read_at_evaluation,
    run,
    secret,
    store_path,
)


@pytest.mark.attack("A8", "a flake input `path:~/.ssh`, no lock", "refused, not copied")
def test_input_without_lock(run: Run, kernel: FakeKernel, secret: Path) -> None:
    flake = kernel.folder / "flake.nix"
    text = flake.read_text().replace("outputs = _:", "outputs = { s, ... }:")
    inputs = f'inputs.s = {{ url = "path:{secret}"; flake = false; }};'
    flake.write_text(text.replace("{\n", f"{{\n{inputs}\n", 1))
    done = run("list-variants")
    assert done.status == 1
    assert "found  no input 's'" in done.stderr
    assert not store_path(secret).exists()


@pytest.mark.attack("A51d", "flake.nix above the kernel is a link to 6 GiB", "never opened")
def test_flake_above(run: Run, kernel: FakeKernel, tmp_path: Path) -> None:
    (kernel.folder / "flake.nix").unlink()
    (tmp_path / ".git").mkdir()
    with (tmp_path / "large").open("wb") as opened:
        opened.truncate(6 * 2**30)
    (tmp_path / "flake.nix").symlink_to(tmp_path / "large")
    limited = ("bash", "-c", 'ulimit -v 2000000; exec "$@"', "bash")
    done = run("list-variants", before=limited)
    assert done.status == 1
    assert "a folder without a flake can be read only as yours" in done.stderr


def test_a_long_lock(run: Run, kernel: FakeKernel) -> None:
    """An honest one may be longer than a word of a command line."""
    pin = {"type": "github", "owner": "o", "repo": "r", "rev": COMMIT, "narHash": HASH}
    node = {"locked": pin, "original": pin}
    nodes: dict[str, Any] = {f"n{number}": node for number in range(900)}
    nodes["root"] = {"inputs": {"s": "n0"}}
    text = json.dumps({"version": 7, "root": "root", "nodes": nodes}, indent=2)
    assert len(text) > 2 * 2**17
    (kernel.folder / "flake.lock").write_text(text)
    done = run("list-variants")
    assert done.status == 0, done.stderr


LOCKED: dict[str, dict[str, Any]] = {
    "an absolute path": {"type": "path", "path": "/root/.ssh", "narHash": HASH},
    "a relative path": {"type": "path", "path": "../../.ssh", "narHash": HASH},
    "a local repository": {"type": "git", "url": "file:///root/k", "rev": COMMIT, "narHash": HASH},
    "ssh": {"type": "git", "url": "ssh://git@h/k", "rev": COMMIT, "narHash": HASH},
    "a command": {"type": "git", "url": "ext::sh -c id", "rev": COMMIT, "narHash": HASH},
    "an option": {
        "type": "git", "url": "https://h/k", "rev": COMMIT, "narHash": HASH, "ref": "-x",
    },
    "a local file": {"type": "tarball", "url": "file:///etc/passwd", "narHash": HASH},
    "http": {"type": "tarball", "url": "http://h/latest", "narHash": HASH},
    "a login": {"type": "tarball", "url": "https://me:x@h/k", "narHash": HASH},
    "the registry": {"type": "indirect", "id": "nixpkgs", "rev": COMMIT, "narHash": HASH},
    "no hash": {"type": "github", "owner": "o", "repo": "r", "rev": COMMIT},
    "no commit": {"type": "github", "owner": "o", "repo": "r", "narHash": HASH},
    "a folder above": {
        "type": "github", "owner": "o", "repo": "r", "rev": COMMIT, "narHash": HASH, "dir": "a/..",
    },
    "an unknown key": {
        "type": "github", "owner": "o", "repo": "r", "rev": COMMIT, "narHash": HASH, "path": "/etc",
    },
}  # fmt: skip


@pytest.mark.attack("X24", "a lock entry that leads to this machine or is no pin", "refused")
@pytest.mark.parametrize("name", LOCKED)
def test_locked_input(run: Run, kernel: FakeKernel, name: str) -> None:
    lock(kernel, **LOCKED[name])
    done = run("check-config")
    assert done.status == 1
    assert "flake.lock names more than a kernel of others may read" in done.stderr
    assert "at     flake.lock nodes.'s'.locked" in done.stderr


TREES: dict[str, object] = {
    "a parent": {"root": {}, "a": {"parent": ["x"], "locked": {"type": "path", "path": "."}}},
    "no node": {"root": {"inputs": {"s": "t"}}},
    "a number": {"root": {"inputs": {"s": 1}}},
    "no map": [],
}


@pytest.mark.attack("X25", "a lock with parents, missing nodes or other forms", "refused")
@pytest.mark.parametrize("name", TREES)
def test_odd_nodes(run: Run, kernel: FakeKernel, name: str) -> None:
    data = {"version": 7, "root": "root", "nodes": TREES[name]}
    (kernel.folder / "flake.lock").write_text(json.dumps(data))
    assert "flake.lock names more" in run("check-config").stderr


@pytest.mark.attack("X25b", "inputs that follow each other in a circle", "an error, no end of time")
def test_circle(run: Run, kernel: FakeKernel) -> None:
    data = {"version": 7, "root": "root", "nodes": {"root": {"inputs": {"s": ["s"]}}}}
    (kernel.folder / "flake.lock").write_text(json.dumps(data))
    read_at_evaluation(kernel, "_.s.outPath")
    done = run("list-variants")
    assert done.status == 1
    assert "error: " in done.stderr


@pytest.mark.attack("X26", "flake.lock is a link, 1 GB, or nests 100,000 lists", "refused")
def test_lock_of_another_kind(run: Run, kernel: FakeKernel, secret: Path) -> None:
    file = kernel.folder / "flake.lock"
    file.symlink_to(secret / "id_rsa")
    assert "found  a symbolic link" in run("check-config").stderr
    file.unlink()
    with file.open("wb") as opened:
        opened.truncate(2**30)
    assert "found  1073741824 bytes" in run("check-config").stderr
    file.write_text("[" * 100_000)
    assert "found  no JSON" in run("check-config").stderr
    file.write_text('{"version": 7, "nodes": {}, "nodes": {}}')
    assert "a key is there twice" in run("check-config").stderr


@pytest.mark.attack("X26b", "`builtins.fetchTree` of a folder in outputs", "refused, not kept")
def test_fetch_tree(run: Run, kernel: FakeKernel, secret: Path) -> None:
    tree = f'{{ type = "path"; path = "{secret}"; narHash = "{HASH}"; }}'
    for expression in (
        f"(builtins.fetchTree {tree}).outPath",
        f'(builtins.${{"fetch" + "Tree"}} {tree}).outPath',
        f'(builtins.getFlake "path:{secret}?narHash={HASH}").outPath',
        f"toString (builtins.tryEval (builtins.fetchTree {tree})).success",
    ):
        kernel.write()
        read_at_evaluation(kernel, expression)
        done = run("list-variants")
        assert done.status == 1
        assert "the flake reads folders of this machine" in done.stderr
        assert f"found  path:{secret}" in done.stderr
        assert not store_path(secret).exists()


@pytest.mark.attack(
    "X26c", "a pure evaluation reads a local repository, a file by its hash", "refused"
)
def test_pure_reads(run: Run, kernel: FakeKernel, secret: Path) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.invalid")
    for words in (["init", "-q"], ["add", "."], [*who, "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", str(secret), *words], check=True)
    argv = ["git", "-C", str(secret), "rev-parse", "HEAD"]
    commit = subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()
    digest = hashlib.sha256((secret / "id_rsa").read_bytes()).hexdigest()
    tree = f'{{ type = "git"; url = "file://{secret}"; rev = "{commit}"; }}'
    for expression in (
        f'(builtins.fetchGit {{ url = "{secret}"; rev = "{commit}"; }}).outPath',
        f"(builtins.fetchTree {tree}).outPath",
        f'builtins.fetchurl {{ url = "file://{secret}/id_rsa"; sha256 = "{digest}"; }}',
        f'builtins.readFile "{secret}/id_rsa"',
        f"builtins.readFile {secret}/id_rsa",
        f'builtins.path {{ path = "{secret}"; }}',
        'builtins.readFile "/etc/passwd"',
    ):
        kernel.write()
        read_at_evaluation(kernel, expression)
        done = run("list-variants")
        assert (done.status, done.stdout) == (1, ""), expression
        assert "forbidden" in done.stderr
    kernel.write()
    read_at_evaluation(kernel, '"<${builtins.getEnv "HF_TOKEN"}>"')
    assert run("list-variants").stdout == "<>\n"


@pytest.mark.attack("X26d", "import from derivation", "refused")
def test_import_from_derivation(run: Run, kernel: FakeKernel) -> None:
    read_at_evaluation(kernel, "builtins.readFile (bundleOf [ ]).outPath")
    done = run("list-variants")
    assert done.status == 1
    assert "allow-import-from-derivation" in done.stderr


@pytest.mark.attack("A51", "build.toml is a link to /dev/zero, or flake.nix is one", "refused")
@pytest.mark.parametrize("name", ["build.toml", "flake.nix"])
def test_endless_file(run: Run, kernel: FakeKernel, name: str) -> None:
    (kernel.folder / name).unlink()
    (kernel.folder / name).symlink_to("/dev/zero")
    done = run("check-config")
    assert done.status == 1
    refusal = "is not a kernel" if name == "build.toml" else "a folder without a flake"
    assert refusal in done.stderr


@pytest.mark.attack("X50", "a folder of 20 GB with an empty .git, or a repository", "refused")
@pytest.mark.parametrize("is_repository", [False, True])
def test_a_huge_folder(run: Run, kernel: FakeKernel, is_repository: bool) -> None:
    """Its files are read without git, so all of them count."""
    if is_repository:
        subprocess.run(["git", "init", "-q", str(kernel.folder)], check=True)
    else:
        (kernel.folder / ".git").mkdir()
    with (kernel.folder / "large").open("wb") as opened:
        opened.truncate(20 * 2**30)
    done = run("list-variants")
    assert done.status == 1
    assert "the largest file is" in done.stderr
    assert "git add" not in done.stderr
