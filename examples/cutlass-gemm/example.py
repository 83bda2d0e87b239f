"""Runs the built kernel on a GPU: `kernel-builder testshell`, then `python example.py`."""

import cutlass_gemm
import torch

if not torch.cuda.is_available():
    raise SystemExit("this kernel needs a CUDA device")

torch.manual_seed(0)
a = torch.randn(256, 512, device="cuda", dtype=torch.float16)
b = torch.randn(512, 128, device="cuda", dtype=torch.float16)
difference = (cutlass_gemm.gemm(a, b) - a @ b).abs().max().item()
print(f"largest difference from a @ b: {difference}")
