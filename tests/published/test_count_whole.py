"""Units that are compiled whole are counted, each with the reason."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.cuda.cuda_kernel import cuda_kernel
from tests.published.comparing import HERE
from tests.published.counting import read_units
from tests.tiny_kernel import TinyKernel


def test_units_are_counted(tmp_path: Path) -> None:
    # As the published kernels write them.
    flags = (
        '["--ftemplate-backtrace-limit=0", "-res-usage", "--threads=1", "-Xfatbin=-compress-all"]'
    )
    cuda_kernel(tmp_path / "apart", **{"cuda-flags": flags})
    cuda_kernel(tmp_path / "whole", **{"cuda-flags": '["-rdc=true"]'})
    TinyKernel(tmp_path / "other")
    argv = [sys.executable, str(HERE / "count-whole"), str(tmp_path)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    apart, whole, reason, total = done.stdout.splitlines()
    assert apart.startswith("apart (torch")
    assert apart.endswith("): 0 of 2 whole")
    assert whole.endswith("): 2 of 2 whole")
    assert reason == "  2: -rdc=true (device code is linked after all targets are compiled)"
    assert total == "2 of 4 units in 2 kernels are compiled whole"


def test_a_kernel_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text("[general]\n")
    assert "cannot be built" in (read_units(tmp_path).error or "")
