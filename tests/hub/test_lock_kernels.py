"""`lock-kernels` locks, keeps and refuses kernels; a build uses the lock."""

import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import python_argv
from tests.evaluation import (
    ROOT,
    SYSTEM,
    VARIANT,
    build,
    call,
    evaluate,
    nix_string,
    path_of,
    run_nix,
)
from tests.hub.client import REPO, TOKEN, Client
from tests.hub.exchange import Hub
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

PACKAGES = f"(import {path_of(ROOT)}).packages.{SYSTEM}"


@cache
def build_program(dependencies: str) -> Path:
    """Return the package that locks these, values of `kernel-depends` in JSON."""
    wanted = f"(builtins.fromJSON {nix_string(dependencies)})"
    return build(evaluate(f"({PACKAGES}.lockKernels {wanted}).drvPath"))


class Locker:
    """Publishes kernels and locks some of them."""

    def __init__(self, hub: Hub, client: Client, folder: Path) -> None:
        self.hub = hub
        self.client = client
        self.folder = folder

    def publish(self, name: str, *loads: str, salt: str = "", private: bool = False) -> str:
        """Publish a kernel that loads others; return the commit, which is version 1."""
        repository = self.hub.repositories.get(name)
        if not repository.exists:
            repository.create(private=private)
            repository.branch("v1", repository.resolve("main") or "")
        metadata = {
            "name": "tiny",
            "id": "_tiny_cpu_0",
            "version": 1,
            "license": "mit",
            "backend": {"type": "cpu"},
            "python-depends": [],
            "kernel-depends": [{"repo-id": each, "version": 1} for each in loads],
        }
        repository.write("build/torch-cpu/metadata.json", json.dumps(metadata))
        return repository.write("salt", salt)

    def __call__(self, *words: str, wanted: Any = ()) -> subprocess.CompletedProcess[str]:
        program = build_program(json.dumps(wanted or [{"repo-id": "org/a", "version": 1}]))
        env = {**self.client.environment, "HF_HUB_DISABLE_PROGRESS_BARS": "1"}
        done = call(program / "bin/lock-kernels", *words, status=None, env=env, cwd=self.folder)
        assert TOKEN not in done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        return done

    @property
    def file(self) -> Path:
        return self.folder / "kernels.lock"

    @property
    def locked(self) -> dict[str, str]:
        """The commits in the lock, by repository."""
        entries = json.loads(self.file.read_text())
        return {entry["dependency"]["repo-id"]: entry["lock"]["commit"] for entry in entries}


@pytest.fixture
def lock(hub: Hub, client: Client, tmp_path: Path) -> Locker:
    folder = tmp_path / "kernel"
    folder.mkdir()
    return Locker(hub, client, folder)


def test_a_circle_of_three(lock: Locker) -> None:
    lock.publish("org/top", "org/a")
    for name, loads in (("org/a", "org/b"), ("org/b", "org/c"), ("org/c", "org/a")):
        lock.publish(name, loads)
    done = lock(wanted=[{"repo-id": "org/top", "version": 1}])
    assert done.returncode == 1
    # The kernel that leads into the circle is no part of it.
    circle = "lock-kernels: org/a loads org/b loads org/c loads org/a, which is a circle\n"
    assert done.stderr == circle
    assert not lock.file.exists()


@pytest.mark.parametrize("private", [True, False])
def test_not_public(private: bool, lock: Locker) -> None:
    if private:
        lock.publish("org/a", private=True)
    done = lock()
    assert done.returncode == 1
    said = "org/a cannot be locked: it is not on the Hub, or not public, and builds get no token"
    assert done.stderr == f"lock-kernels: {said}\n"
    # With the token of this machine, the first answer would have come.
    requests = [each for each in lock.hub.faults.requests if "/org/" in each]
    assert requests == ["GET /api/kernels/org/a/refs"]


@pytest.mark.parametrize("name", ["org/\x1b[31mred", "org/b\n"])
def test_a_name_that_is_none(name: str, lock: Locker) -> None:
    lock.publish("org/a", name)
    done = lock()
    assert done.returncode == 1
    assert done.stderr == f"lock-kernels: org/a loads {name!r}, which is no owner/name\n"


def test_what_is_locked_stays(lock: Locker) -> None:
    first = lock.publish("org/a", "org/b")
    below = lock.publish("org/b")
    assert lock().returncode == 0
    content = lock.file.read_bytes()
    newer = lock.publish("org/a", "org/b", salt="newer")
    assert lock().returncode == 0
    assert lock.file.read_bytes() == content

    # A kernel that is added changes no other one, and one that is no longer loaded goes.
    other = lock.publish("org/other")
    wanted = [{"repo-id": name, "version": 1} for name in ("org/other", "org/a")]
    assert lock(wanted=wanted).returncode == 0
    assert lock.locked == {"org/a": first, "org/b": below, "org/other": other}
    done = lock("--update")
    assert lock.locked == {"org/a": newer, "org/b": below}
    assert done.stdout == f"org/b: {below}\norg/a: {newer}\n"


def test_other_files_at_a_locked_commit(lock: Locker) -> None:
    lock.publish("org/a")
    assert lock().returncode == 0
    (entry,) = entries = json.loads(lock.file.read_text())
    entry["lock"]["hash"] = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
    lock.file.write_text(json.dumps(entries))
    done = lock()
    assert done.returncode == 1
    assert f"org/a has other files at commit {entry['lock']['commit']} than" in done.stderr
    assert lock("--update").returncode == 0


def test_a_lock_that_cannot_be_read(lock: Locker) -> None:
    lock.publish("org/a")
    lock.file.write_text("[1]")
    done = lock()
    assert done.returncode == 1
    assert "lock-kernels: kernels.lock cannot be read: " in done.stderr
    assert "--update writes it anew" in done.stderr
    assert lock.file.read_text() == "[1]"


TOP = "org/top"
DEPENDS = f"""\
kernel-depends = [{{ repo-id = "{REPO}", version = 1 }}]
hub.repo-id = "{TOP}"
"""
MODULE = f"""\
from kernels import get_kernel_dep

dep = get_kernel_dep("{REPO}")
assert dep.answer() == 42


def answer() -> int:
    return dep.answer() + 1
"""
GET = "import kernels, sys; print(kernels.get_kernel(*sys.argv[1:], version=1).answer())"


def publish(folder: Path, client: Client, more: str = "") -> None:
    """Publish the kernel that is loaded."""
    dep = TinyKernel(folder, {"flake.nix": FLAKE})
    text = BUILD.replace("[torch]", f'{more}hub.repo-id = "{REPO}"\n\n[torch]', 1)
    dep.write("build.toml", text)
    client.expect(0, "build-and-upload", str(folder), "--allow-dirty")


@pytest.fixture
def top(tmp_path: Path) -> TinyKernel:
    top = TinyKernel(tmp_path / "top", {"flake.nix": FLAKE})
    text = BUILD.replace('name = "tiny"', 'name = "top"')
    top.write("build.toml", text.replace("[torch]", f"{DEPENDS}\n[torch]", 1))
    top.write("torch-ext/top/__init__.py", MODULE)
    return top


def run_lock(top: TinyKernel, client: Client) -> subprocess.CompletedProcess[str]:
    words = ("nix", "run", f"path:{top.folder}#lock-kernels")
    return call(*words, status=None, env=client.environment, cwd=top.folder)


def test_from_lock_to_client(top: TinyKernel, client: Client, hub: Hub, tmp_path: Path) -> None:
    publish(tmp_path / "dep", client)
    said = run_lock(top, client)
    assert said.returncode == 0, said.stderr
    (entry,) = json.loads((top.folder / "kernels.lock").read_text())
    head = hub.repositories.get(REPO).resolve("v1")
    assert entry["dependency"] == {"repo-id": REPO, "version": 1}
    assert entry["lock"]["commit"] == head
    assert said.stdout == f"{REPO}: {head}\n"

    # The build downloads the same files, without the token.
    (path,) = run_nix(
        "nix", "eval", "--raw", f"path:{top.folder}#redistributable.{VARIANT}.drvPath"
    ).split()
    listed = run_nix("nix-store", "--query", "--requisites", path).split()
    (fetch,) = (name for name in listed if name.endswith("-org-tiny.drv"))
    (files,) = run_nix("nix-store", "--query", "--outputs", fetch).split()
    for words in (["nix-store", "--realise", fetch], [*python_argv(), "prefetch", fetch]):
        run_nix("nix-store", "--delete", files)
        subprocess.run(words, env=client.environment, check=True)
        assert Path(files, "build", VARIANT, "metadata.json").is_file()

    done = client.expect(0, "build-and-upload", str(top.folder), "--allow-dirty")
    assert "no import check" not in done.stdout
    assert client.python(GET, TOP) == "43"
