"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import relu
import torch

op = relu.add_op_namespace_prefix("relu")
device = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"

x = torch.tensor([-2.0, -0.5, 0.0, 0.5, float("nan")], dtype=torch.bfloat16, device=device)
print("x            ", x)
print("relu(x)      ", relu.relu(x))

relu.relu(x, out=x)
print("x, in place  ", x)

model = torch.nn.Sequential(torch.nn.Linear(5, 3), relu.layers.ReLU()).to(device, torch.bfloat16)
with torch.no_grad():
    print("as a layer   ", model(torch.ones(5, dtype=torch.bfloat16, device=device)))
