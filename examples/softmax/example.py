"""Runs the built kernel on a GPU: `kernel-builder testshell`, then `python example.py`."""

import softmax
import torch

x = torch.randn(2, 5, device=torch.accelerator.current_accelerator())
print("x         ", x)
print("softmax(x)", softmax.softmax(x))
