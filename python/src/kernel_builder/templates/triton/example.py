"""Runs the built kernel on a GPU: `kernel-builder testshell`, then `python example.py`."""

import mykernel
import torch

x = torch.arange(5, dtype=torch.float32, device=torch.accelerator.current_accelerator())
print("x          ", x)
print("mykernel(x)", mykernel.mykernel(x))
