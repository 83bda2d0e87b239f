"""The program `evaluate` counts Nix's work for any kernel-builder."""

import subprocess
import sys
from pathlib import Path

import pytest

from published_kernels.comparing import HERE
from tests.author.authoring import clone_repository
from tests.evaluation import ROOT
from tests.tiny_kernel import FLAKE, TinyKernel

SOURCE = "answer/answer.cpp"
BINDING = "torch-ext/torch_binding.cpp"


def run(*words: str) -> subprocess.CompletedProcess[str]:
    argv = [sys.executable, str(HERE / "evaluate"), "--times", "1", *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False)


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    flake = FLAKE.replace(str(ROOT), "github:huggingface/kernels")
    return TinyKernel(tmp_path / "tiny", {"flake.nix": flake}).folder


def test_each_kernel_builder_has_a_column(kernel: Path, tmp_path: Path) -> None:
    other = f"git+file://{clone_repository(tmp_path / 'other')}"
    done = run(str(kernel), "--with", other, "--edit", SOURCE)
    assert done.returncode == 0, done.stderr
    table, *new = done.stdout.split("\n\n")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines()]
    cells = {name: values for name, *values in rows}
    assert cells[""] == ["this", other]
    # Both are the same kernel-builder.
    for name in ("variants of this system", "derivations, with all that they need"):
        assert cells[name][0] == cells[name][1] > "0"
    # An edit recompiles only the edited unit, and a commit recompiles none.
    again = [sorted(unit for unit in (SOURCE, BINDING) if Path(unit).name in line) for line in new]
    assert again == [[], [SOURCE], [], [SOURCE]]
