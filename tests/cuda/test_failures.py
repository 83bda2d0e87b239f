"""An error in a unit is reported once, however many targets the unit has."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, VARIANT, cuda_kernel, with_capabilities
from tests.evaluation import ROOT
from tests.tiny_kernel import FLAKE

# The assembler fails on another line for each target.
WRONG = """b += a;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.f32 %0, %0;" : "+f"(b));
#endif
  asm volatile("nonsense.f32 %0;" :: "f"(b));
  return b;
"""


def test_a_mistake_is_told_once(tmp_path: Path) -> None:
    add = ADD.replace("return a + b;", WRONG)
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: add}, **with_capabilities("8.0", "9.0a"))
    kernel.write("flake.nix", FLAKE)
    program = ROOT / "python" / "bin" / "kernel-builder"
    argv = [str(program), "build", str(tmp_path), "--variant", VARIANT]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Not a name of any known instruction") == 1, done.stderr
    steps = [f"tiny-cu130-numbers-add.cu.{target}" for target in ("sm_80", "sm_90a")]
    assert all(f" {step}\n" in done.stderr for step in steps), done.stderr
    assert all(step in done.stdout for step in steps), done.stdout
