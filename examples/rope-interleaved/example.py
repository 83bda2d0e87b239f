"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`.

Paths of other kernels' builds, such as `../rope/result`, are loaded beside it, into one process.
"""

import sys
from pathlib import Path

import rope_interleaved
import torch
from kernels import get_local_kernel

others = [get_local_kernel(Path(path), backend="cpu") for path in sys.argv[1:]]

x = torch.tensor([[[1.0, 2.0, 3.0, 4.0]]])
print("x                 ", x)
for kernel in (rope_interleaved, *others):
    # By 90 degrees: all of these have an operator, and functions in C++, of the same names.
    print(kernel.ops.name, kernel.rope(x, torch.zeros(1, 2), torch.ones(1, 2)))
