"""Flakes that call the project as published ones do."""

from __future__ import annotations

import json
import subprocess

import pytest

from tests.derivation import named
from tests.evaluation import FEATURES, ROOT, SYSTEM, VARIANT, path_of, read_variant, run_nix
from tests.tiny_kernel import TinyKernel

COMMIT = "0123456789abcdef0123456789abcdef01234567"


def ask(call: str) -> tuple[str, str]:
    """Return the derivation of a variant and what Nix said."""
    outputs = f"((import {path_of(ROOT)}).lib.{call}).legacyPackages.{SYSTEM}"
    wanted = f"{outputs}.redistributable.{VARIANT}.drvPath"
    argv = ["nix", *FEATURES, "eval", "--impure", "--json", "--expr", wanted]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    return json.loads(done.stdout), done.stderr


def test_the_older_name_is_a_warning(tiny: TinyKernel) -> None:
    arguments = f'path = {path_of(tiny.folder)}; rev = "{COMMIT}";'
    now, said = ask(f"genKernelFlakeOutputs {{ {arguments} }}")
    assert "genFlakeOutputs" not in said
    overlay = "pythonPackageOverlay = _: _: { };"
    older, said = ask(f"genFlakeOutputs {{ {arguments} {overlay} }}")
    assert older == now
    assert "genFlakeOutputs is called genKernelFlakeOutputs now" in said
    assert "its pythonPackageOverlay is not used" in said


@pytest.mark.parametrize("source", [f'rev = "{COMMIT}"', f'self.rev = "{COMMIT}"'])
def test_the_commit_is_known_either_way(tiny: TinyKernel, source: str) -> None:
    drv, _ = ask(f"genKernelFlakeOutputs {{ path = {path_of(tiny.folder)}; {source}; }}")
    provenance = json.loads(named(drv, VARIANT).env["provenance"])
    assert provenance["kernel"] == {"commit": COMMIT, "dirty": False}


def test_the_repositorys_flake_has_the_examples() -> None:
    # Theirs would be asked with a lock file, which some versions of Nix write into git's index.
    folders = {file.parent.name for file in (ROOT / "examples").glob("*/flake.nix")}
    locks = set((ROOT / "examples").glob("*/flake.lock"))
    objects = f"map (object: object.drvPath) examples.relu.redistributable.{VARIANT}.objects"
    apply = f"examples: [ (builtins.attrNames examples) ({objects}) ]"
    said = run_nix("nix", "eval", "--json", f"{ROOT}#examples", "--apply", apply)
    names, drvs = json.loads(said)
    assert set(names) == folders
    assert drvs == list(read_variant(ROOT / "examples" / "relu").objects.values())
    assert set((ROOT / "examples").glob("*/flake.lock")) == locks
