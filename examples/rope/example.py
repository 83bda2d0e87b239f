"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import rope
import torch

op = rope.add_op_namespace_prefix("rope")
device = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"

x = torch.tensor([1.0, 2.0, 3.0, 4.0], device=device).expand(3, 1, 4).contiguous()
angles = torch.tensor([[0.0], [0.25], [0.5]], device=device).expand(3, 2) * torch.pi
print("x                ", x[0])
for name, row in zip(("0", "45", "90"), rope.rope(x, angles.cos(), angles.sin())):
    print(f"by {name:>2} degrees    ", row)
