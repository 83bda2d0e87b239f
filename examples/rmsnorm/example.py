"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import rmsnorm
import torch

op = rmsnorm.add_op_namespace_prefix("rmsnorm")
device = "cuda" if torch._C._dispatch_has_kernel_for_dispatch_key(op, "CUDA") else "cpu"

torch.manual_seed(0)
x = torch.randn(2, 8, device=device, requires_grad=True)
weight = torch.ones(8, device=device, requires_grad=True)

y = rmsnorm.rmsnorm(x, weight)
print("rmsnorm(x)          ", y)
print("mean square of a row", y.square().mean(-1))

y.square().sum().backward()
print("gradient of weight  ", weight.grad)

compiled = torch.compile(rmsnorm.rmsnorm, fullgraph=True, backend="aot_eager")
print("compiled, the same  ", torch.equal(compiled(x, weight), y))
