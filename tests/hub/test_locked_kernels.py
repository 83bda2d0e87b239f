"""A kernel that loads another one of the Hub: locked, built, and loaded by the client."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.cli.command_line import python_argv
from tests.evaluation import VARIANT, run_nix
from tests.hub.client import REPO, Client
from tests.hub.exchange import Hub
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

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
    done = client("build-and-upload", str(folder), "--allow-dirty")
    assert done.status == 0, done.stderr


@pytest.fixture
def top(tmp_path: Path) -> TinyKernel:
    """A kernel that loads another one."""
    top = TinyKernel(tmp_path / "top", {"flake.nix": FLAKE})
    text = BUILD.replace('name = "tiny"', 'name = "top"')
    top.write("build.toml", text.replace("[torch]", f"{DEPENDS}\n[torch]", 1))
    top.write("torch-ext/top/__init__.py", MODULE)
    return top


def lock(top: TinyKernel, client: Client) -> subprocess.CompletedProcess[str]:
    """Lock what the kernel loads."""
    words = ["nix", "run", f"path:{top.folder}#lock-kernels"]
    return subprocess.run(
        words, env=client.environment, cwd=top.folder, capture_output=True, text=True, check=False
    )


def test_from_lock_to_client(top: TinyKernel, client: Client, hub: Hub, tmp_path: Path) -> None:
    publish(tmp_path / "dep", client)
    said = lock(top, client)
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

    done = client("build-and-upload", str(top.folder), "--allow-dirty")
    assert done.status == 0, done.stderr
    assert "no import check" not in done.stdout
    assert client.python(GET, TOP) == "43"
