"""`run` evaluates and builds kernels, and its exit status says whether one got worse."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from published_kernels.adopting import AdoptionError, adopt_kernel
from published_kernels.comparing import HERE
from published_kernels.records import (
    Build,
    Record,
    find_worse,
    read_records,
    write_records,
)
from tests.evaluation import ROOT, VARIANT
from tests.tiny_kernel import ANSWER, FLAKE, TinyKernel

# The spelling in flakes of published kernels.
PUBLISHED = FLAKE.replace(str(ROOT), "github:huggingface/kernels")


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the program on a folder of kernels, with the records beside that folder."""
    records = folder.parent / "records.json"
    argv = [sys.executable, str(HERE / "run"), str(folder), "--expected", str(records), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.fixture
def kernels(tmp_path: Path) -> Path:
    """Return a folder with a kernel that builds, and one that does not compile."""
    folder = tmp_path / "kernels"
    TinyKernel(folder / "good", {"flake.nix": PUBLISHED})
    broken = {"flake.nix": PUBLISHED, "answer/answer.cpp": "#error no answer\n"}
    TinyKernel(folder / "broken", broken)
    return folder


def test_kernels_are_built_and_compared(kernels: Path) -> None:
    # There are no records of these kernels, so they have to build.
    first = run(kernels, "--build", "0", "--renew", "--commit", "a" * 40)
    assert first.returncode == 0, first.stderr
    assert f"at     broken {VARIANT}\n" in first.stderr
    assert "no answer" in first.stderr
    assert f"at     good {VARIANT}" not in first.stderr
    known = read_records(kernels.parent / "records.json")
    assert known.commit == "a" * 40
    states = {name: each.builds["cpu"].state for name, each in known.kernels.items()}
    assert states == {"broken": "failed", "good": "imported"}
    # The author's folder is as it was.
    assert not list(kernels.glob("*/flake.lock"))
    assert (kernels / "good" / "flake.nix").read_text() == PUBLISHED

    # A kernel that was broken before is not worse, and a repaired kernel is better.
    gone = replace(known, kernels={**known.kernels, "gone": Record("gone")})
    write_records(kernels.parent / "records.json", gone)
    (kernels / "broken" / "answer" / "answer.cpp").write_text(ANSWER)
    (kernels / "good" / "build.toml").write_text("[general]\n")
    second = run(kernels, "--build", "0")
    assert second.returncode == 1, second.stdout
    assert f"better: broken {VARIANT} is imported now" in second.stdout
    assert "published kernels got worse (2 problems)" in second.stderr
    assert "at     good\n" in second.stderr
    assert "at     gone\n       found  no such folder" in second.stderr


def test_a_flake_whose_kernel_builder_cannot_be_replaced(kernels: Path, tmp_path: Path) -> None:
    flake = PUBLISHED.replace("inputs.kernel-builder.url", "inputs.kernel-builder.type")
    (kernels / "good" / "flake.nix").write_text(flake)
    with pytest.raises(AdoptionError, match="no input kernel-builder with a url is found"):
        adopt_kernel(kernels / "good", tmp_path / "copy", "git+file:///nowhere")


BUILT = Build(VARIANT, "imported", 30.0, 1000)
KNOWN = Record("k", None, (VARIANT, "torch-cuda"), {"cpu": 2}, {"a flag": 1}, {"cpu": BUILT})


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (replace(KNOWN, error="no"), "no"),
        (replace(KNOWN, variants=("torch-cuda", "torch-new")), VARIANT),
        (replace(KNOWN, whole={"a flag": 1, "another": 1}), "1 because of a flag; 1 because"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, state="built")}), "built"),
        (replace(KNOWN, builds={"cpu": replace(BUILT, state="failed", error="x")}), "failed: x"),
    ],
)
def test_each_way_to_get_worse(found: Record, said: str) -> None:
    (problem,) = find_worse(KNOWN, found)
    assert problem.at.startswith("k")
    assert said in problem.found
    assert find_worse(KNOWN, KNOWN) == find_worse(found, found) == []
