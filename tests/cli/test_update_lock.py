"""`update-lock` lets the flakes of several kernels name one kernel-builder."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.tiny_kernel import BUILD, commit_all, git

OUTPUTS = "outputs = _: { };"
LIBRARY = "outputs = _: { lib.genKernelFlakeOutputs = _: { }; };"
USER = "[user]\nname = author\nemail = author@example.invalid\n"


class Repository:
    """Two kernels with a flake each, whose builder is a repository of its own."""

    def __init__(self, folder: Path) -> None:
        self.builder = folder / "builder"
        self.folder = folder / "repository"
        self.kernels = [self.folder / "kernels" / name for name in ("one", "other")]
        self.builder.mkdir()
        self.publish("1")
        for kernel in self.kernels:
            self.write(kernel, self.builder)
        commit_all(self.folder)

    def publish(self, text: str) -> str:
        """Commit to the builder; return the commit."""
        (self.builder / "flake.nix").write_text(f"{{ {LIBRARY} }} # {text}\n")
        commit_all(self.builder)
        return git(self.builder, "rev-parse", "HEAD").strip()

    def write(self, kernel: Path, builder: Path) -> None:
        kernel.mkdir(parents=True, exist_ok=True)
        (kernel / "build.toml").write_text(BUILD)
        address = f'inputs.kernel-builder.url = "git+file://{builder}";'
        (kernel / "flake.nix").write_text(f"{{ {address} {OUTPUTS} }}\n")

    def read(self) -> list[str]:
        """Return the commits of the builder in the locks."""
        locks = [json.loads((kernel / "flake.lock").read_text()) for kernel in self.kernels]
        return [lock["nodes"]["kernel-builder"]["locked"]["rev"] for lock in locks]

    def count(self) -> int:
        return int(git(self.folder, "rev-list", "--count", "HEAD"))


@pytest.fixture
def repository(tmp_path: Path, cli: Cli) -> Repository:
    made = Repository(tmp_path)
    (tmp_path / "gitconfig").write_text(USER)
    cli.environment["GIT_CONFIG_GLOBAL"] = str(tmp_path / "gitconfig")
    cli.environment["XDG_CACHE_HOME"] = str(tmp_path / "cache")
    return made


def test_all_locks_move_and_the_commit_is_proposed(repository: Repository, cli: Cli) -> None:
    words = ("update-lock", *map(str, repository.kernels))
    cli.expect(0, *words)
    old = repository.read()[0]
    assert repository.read() == [old, old]
    count = repository.count()
    new = repository.publish("2")
    (repository.folder / "mine").write_text("mine")
    git(repository.folder, "add", "mine")
    done = cli.expect(0, *words, "--json")
    found = json.loads(done.stdout)
    assert found["revision"] == new
    assert found["changed"] == [str(kernel) for kernel in repository.kernels]
    assert repository.read() == [new, new]
    # A commit would run what the repository's own .git/config names.
    assert repository.count() == count

    (command,) = found["commands"]
    subprocess.run(command, shell=True, check=True, env=os.environ | cli.environment)
    assert repository.count() == count + 1
    shown = git(repository.folder, "show", "--name-only", "--format=%s").split("\n")
    assert shown[0] == f"Update kernel-builder to {new[:12]}"
    assert sorted(filter(None, shown[1:])) == ["kernels/one/flake.lock", "kernels/other/flake.lock"]
    assert git(repository.folder, "status", "--porcelain").split() == ["A", "mine"]

    again = cli(*words)
    assert again.stdout.endswith("0 of 2 locks changed\n")
    back = f"git+file://{repository.builder}?rev={old}"
    done = cli(*words, "--builder", back)
    assert f"\ncommit them: git -C {repository.folder} add -- " in done.stdout, done.stderr
    assert repository.read() == [old, old]
    assert repository.count() == count + 1


def test_locks_of_several_builders_are_refused(repository: Repository, cli: Cli) -> None:
    fork = repository.folder.parent / "fork"
    git(repository.folder, "clone", "--quiet", str(repository.builder), str(fork))
    (fork / "more").write_text("more")
    commit_all(fork)
    repository.write(repository.kernels[1], fork)
    commit_all(repository.folder)
    count = repository.count()
    done = cli.expect(1, "update-lock", *map(str, repository.kernels))
    assert "error: the kernels are locked to several kernel-builders" in done.stderr
    assert all(f"{kernel}: " in done.stderr for kernel in repository.kernels)
    assert repository.count() == count


def test_a_kernel_without_a_flake_has_no_lock(repository: Repository, cli: Cli) -> None:
    (repository.kernels[0] / "flake.nix").unlink()
    done = cli.expect(1, "update-lock", *map(str, repository.kernels))
    assert "error: these kernels have no flake.lock" in done.stderr
    assert f"       at     {repository.kernels[0]}\n       found  no flake.nix" in done.stderr


# The inputs of a flake, and the name in its lock of the builder's node. `builder` is the repository
# with the library, `other` one without.
NAMED = {
    "another name": ('inputs.builder.url = "BUILDER";', "builder"),
    "beside an input of that name": (
        'inputs.kernel-builder.url = "OTHER"; inputs.kb.url = "BUILDER";',
        "kb",
    ),
    "followed": (
        'inputs.tool.url = "TOOL"; inputs.builder.follows = "tool/its-builder";',
        "its-builder",
    ),
    "with a folder of files": (
        'inputs.builder.url = "BUILDER"; inputs.files = { url = "OTHER"; flake = false; };',
        "builder",
    ),
}


@pytest.mark.parametrize("kind", NAMED)
def test_the_builder_is_known_by_its_library(repository: Repository, cli: Cli, kind: str) -> None:
    inputs, node = NAMED[kind]
    places = {"BUILDER": repository.builder}
    for name, text in (
        ("OTHER", f"{{ {OUTPUTS} }}"),
        ("TOOL", f'{{ inputs.its-builder.url = "git+file://{repository.builder}"; {OUTPUTS} }}'),
    ):
        places[name] = repository.folder.parent / name
        places[name].mkdir()
        (places[name] / "flake.nix").write_text(text)
        commit_all(places[name])
    for name, place in places.items():
        inputs = inputs.replace(f'"{name}"', f'"git+file://{place}"')
    kernel = repository.kernels[0]
    (kernel / "flake.nix").write_text(f"{{ {inputs} {OUTPUTS} }}")
    commit_all(repository.folder)
    cli.expect(0, "update-lock", str(kernel))
    new = repository.publish("2")
    done = cli("update-lock", str(kernel))
    assert done.stdout.startswith(f"kernel-builder {new}\n1 of 1 locks changed\n"), done.stderr
    lock = json.loads((kernel / "flake.lock").read_text())
    assert lock["nodes"][node]["locked"]["rev"] == new


@pytest.mark.parametrize("count", [0, 2])
def test_not_one_builder_is_an_error(repository: Repository, cli: Cli, count: int) -> None:
    names = ["one", "two"][:count]
    inputs = "".join(f'inputs.{name}.url = "git+file://{repository.builder}";' for name in names)
    (repository.kernels[0] / "flake.nix").write_text(f"{{ {inputs} {OUTPUTS} }}")
    commit_all(repository.folder)
    done = cli.expect(1, "update-lock", str(repository.kernels[0]))
    said = f"several among {', '.join(names)}" if names else "none among no inputs"
    assert f"found  {said}" in done.stderr


@pytest.mark.attack("any, update-lock", "flake.lock is a link to another lock", "not written to")
def test_a_lock_that_is_a_link(repository: Repository, cli: Cli, tmp_path: Path) -> None:
    lock, kernel = '{"nodes": {"root": {}}, "root": "root", "version": 7}', repository.kernels[0]
    (tmp_path / "mine.lock").write_text(lock)
    (kernel / "flake.lock").symlink_to(tmp_path / "mine.lock")
    git(repository.folder, "add", "-A")
    # An older Nix does not read the lock; a newer one refuses it.
    assert cli("check-config", str(kernel)).status == 1
    ran = cli("update-lock", str(kernel))
    assert (ran.status, "flake.lock is not written to" in ran.stderr) == (1, True), ran.stderr
    assert (tmp_path / "mine.lock").read_text() == lock
