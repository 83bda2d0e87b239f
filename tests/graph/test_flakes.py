"""Flakes that call the project as published ones do, and earlier states (docs/guide/nix.md)."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.author.authoring import clone_repository
from tests.derivation import named
from tests.evaluation import FEATURES, ROOT, SYSTEM, VARIANT, path_of, read_variant, run_nix
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel, commit_all, edit, git

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


# A script that every object is built with.
PART = "pkgs/compile/compile-object/compile.sh"
OBJECTS = "variant: map (object: object.drvPath) variant.objects"


@dataclass(frozen=True)
class Repository:
    """A git repository and its outputs as a flake."""

    folder: Path

    def git(self, *words: str) -> str:
        return git(self.folder, *words)

    def commit(self) -> str:
        return commit_all(self.folder)

    def variant(self, *words: str) -> str:
        wanted = f".#redistributable.{VARIANT}.drvPath"
        return run_nix("nix", "eval", "--raw", wanted, *words, cwd=self.folder)

    def objects(self, *words: str) -> list[str]:
        """Return the derivations of the variant's objects, which do not depend on commits."""
        asked = ("eval", "--json", f".#redistributable.{VARIANT}", "--apply", OBJECTS)
        return list(json.loads(run_nix("nix", *asked, *words, cwd=self.folder)))


@pytest.fixture
def builder(tmp_path: Path) -> Repository:
    """A kernel-builder that gets a newer commit."""
    return Repository(clone_repository(tmp_path / "kernel-builder"))


@pytest.fixture
def kernel(tmp_path: Path, builder: Repository) -> Repository:
    """A kernel whose lock file names that kernel-builder."""
    flake = FLAKE.replace(str(ROOT), f"git+file://{builder.folder}")
    made = Repository(TinyKernel(tmp_path / "tiny", {"flake.nix": flake}).folder)
    made.commit()
    run_nix("nix", "flake", "lock", cwd=made.folder)
    made.commit()
    return made


def test_an_earlier_lock_is_the_earlier_build(kernel: Repository, builder: Repository) -> None:
    first = builder.git("rev-parse", "HEAD")
    before = kernel.objects()
    edit(builder.folder / PART)
    builder.commit()
    assert kernel.objects() == before, "the lock holds"

    run_nix("nix", "flake", "lock", "--update-input", "kernel-builder", cwd=kernel.folder)
    assert kernel.objects() != before
    newer = kernel.commit()

    # A trial writes no file.
    earlier = f"git+file://{builder.folder}?rev={first}"
    assert kernel.objects("--override-input", "kernel-builder", earlier) == before
    assert kernel.git("status", "--porcelain") == ""

    kernel.git("checkout", f"{newer}~1", "--", "flake.lock")
    assert kernel.objects() == before


def test_a_published_variant_is_built_again_from_what_it_records(
    kernel: Repository, builder: Repository, tmp_path: Path
) -> None:
    published = kernel.variant()
    recorded = json.loads(named(published, VARIANT).env["provenance"])
    commits = {name: facts["commit"] for name, facts in recorded.items()}
    edit(builder.folder / PART)
    builder.commit()
    run_nix("nix", "flake", "lock", "--update-input", "kernel-builder", cwd=kernel.folder)
    kernel.commit()

    kernel.git("clone", "--quiet", ".", str(tmp_path / "again"))
    again = Repository(tmp_path / "again")
    again.git("switch", "--quiet", "--detach", commits["kernel"])
    assert again.variant() == published

    # With another lock file, Nix does not know the kernel's commit. Everything else is the same.
    recorded_builder = f"git+file://{builder.folder}?rev={commits['kernel-builder']}"
    overridden = again.variant("--override-input", "kernel-builder", recorded_builder)
    assert named(overridden, "-assembled").path == named(published, "-assembled").path
