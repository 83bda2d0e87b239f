"""Runs the built kernel on a GPU: `kernel-builder testshell`, then `python example.py`."""

import capabilities
import torch

if not torch.cuda.is_available():
    raise SystemExit("this kernel needs a CUDA device")

x = torch.arange(4, dtype=torch.float32, device="cuda")
print("scale(x, 2)      ", capabilities.scale(x, 2.0))
print("by Hopper's code ", capabilities.uses_hopper(x))
