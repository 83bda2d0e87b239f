"""Flakes that call the project as published ones do."""

import json
import subprocess
from typing import Any

import pytest

from tests.derivation import named
from tests.evaluation import FEATURES, ROOT, SYSTEM, VARIANT, path_of, read_variant, run_nix
from tests.tiny_kernel import BUILD, TinyKernel

# A build of Torch that does not exist.
UNPINNED = f'{{ torchVersion = "2.99"; cpu = true; systems = [ "{SYSTEM}" ]; bundleBuild = true; }}'
COMMIT = "0123456789abcdef0123456789abcdef01234567"


def ask(call: str, asked: str = f"redistributable.{VARIANT}.drvPath") -> tuple[Any, str]:
    """Return the derivation of a variant or another output, and Nix's messages."""
    outputs = f"((import {path_of(ROOT)}).lib.{call}).legacyPackages.{SYSTEM}"
    argv = ["nix", *FEATURES, "eval", "--impure", "--json", "--expr", f"{outputs}.{asked}"]
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


def test_outputs_without_commits_depend_on_files_alone(tiny: TinyKernel) -> None:
    def instantiate(attribute: str, commit: str) -> Any:
        arguments = f'path = {path_of(tiny.folder)}; rev = "{commit}";'
        return ask(f"genKernelFlakeOutputs {{ {arguments} }}", attribute)[0]

    def compare(attribute: str) -> bool:
        return bool(instantiate(attribute, COMMIT) == instantiate(attribute, COMMIT[::-1]))

    assert not compare("bundle.drvPath")
    assert compare("withoutCommits.bundle.drvPath")


@pytest.mark.parametrize("data", ["variants", "archVariants", "plan", "variantDetails"])
def test_data_is_evaluated_without_a_word(tiny: TinyKernel, data: str) -> None:
    # There is no component for CUDA, and a variant for XPU lacks its dependency.
    for_more = BUILD.replace('["cpu"]', '["cpu", "cuda", "xpu"]')
    lacking = '[kernel.x]\nbackend = "xpu"\ndepends = ["sycl_tla"]\nsrc = ["answer/answer.cpp"]\n'
    tiny.write("build.toml", f"{for_more}\n{lacking}")
    _, said = ask(f"genFlakeOutputs {{ path = {path_of(tiny.folder)}; }}", data)
    assert said == ""


def test_the_command_line_reads_what_a_flake_is_warned_of(tiny: TinyKernel) -> None:
    call = f"genFlakeOutputs {{ path = {path_of(tiny.folder)}; }}"
    manifest, said = ask(call, "manifest")
    assert [text for text in manifest["warnings"] if "genKernelFlakeOutputs now" in text]
    assert said == ""


def test_left_out_variants_are_told_to_who_builds(tiny: TinyKernel) -> None:
    rows = f"torchVersions = rows: rows ++ [ {UNPINNED} ];"
    call = f"genKernelFlakeOutputs {{ path = {path_of(tiny.folder)}; {rows} }}"
    assert ask(call, "bundle.name") == ("tiny", "")
    assert "trace: kernel-builder: left out of tiny:" in ask(call, "bundle.drvPath")[1]


@pytest.mark.parametrize("source", [f'rev = "{COMMIT}"', f'self.rev = "{COMMIT}"'])
def test_the_commit_is_known_either_way(tiny: TinyKernel, source: str) -> None:
    drv, _ = ask(f"genKernelFlakeOutputs {{ path = {path_of(tiny.folder)}; {source}; }}")
    provenance = json.loads(named(drv, VARIANT).env["provenance"])
    assert provenance["kernel"] == {"commit": COMMIT, "dirty": False}


def test_the_repositorys_flake_has_the_examples() -> None:
    # With a lock file, some versions of Nix would write it into git's index.
    folders = {file.parent.name for file in (ROOT / "examples").glob("*/flake.nix")}
    locks = set((ROOT / "examples").glob("*/flake.lock"))
    objects = f"map (object: object.drvPath) examples.relu.redistributable.{VARIANT}.objects"
    apply = f"examples: [ (builtins.attrNames examples) ({objects}) ]"
    said = run_nix("nix", "eval", "--json", f"{ROOT}#examples", "--apply", apply)
    names, drvs = json.loads(said)
    assert set(names) == folders
    assert drvs == list(read_variant(ROOT / "examples" / "relu").objects.values())
    assert set((ROOT / "examples").glob("*/flake.lock")) == locks
