"""Going back to an earlier state, as in docs/guide/nix.md: the same derivation, the same build."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.author.authoring import clone_repository
from tests.derivation import named
from tests.evaluation import ROOT, VARIANT, run_nix
from tests.tiny_kernel import FLAKE, TinyKernel, edit

WHO = ("-c", "user.name=author", "-c", "user.email=author@example.invalid")
# A script that every object is built with.
PART = "pkgs/compile/compile-object/compile.sh"
OBJECTS = "variant: map (object: object.drvPath) variant.objects"


@dataclass(frozen=True)
class Repository:
    """A git repository and its outputs as a flake."""

    folder: Path

    def git(self, *words: str) -> str:
        argv = ["git", "-C", str(self.folder), *WHO, *words]
        return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self) -> str:
        """Commit all files and return the commit."""
        self.git("add", "--all", ".")
        self.git("commit", "--quiet", "-m", "a state")
        return self.git("rev-parse", "HEAD")

    def variant(self, *words: str) -> str:
        """Return the derivation of the kernel's variant."""
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
    made.git("init", "--quiet")
    made.git("add", ".")
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
