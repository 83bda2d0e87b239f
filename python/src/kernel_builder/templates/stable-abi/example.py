"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import mykernel
import torch

op = mykernel.add_op_namespace_prefix("mykernel")
on_cpu = torch._C._dispatch_has_kernel_for_dispatch_key(op, "CPU")
device = "cpu" if on_cpu else torch.accelerator.current_accelerator()

x = torch.arange(5, dtype=torch.float32, device=device)
print("x          ", x)
print("mykernel(x)", mykernel.mykernel(x))
