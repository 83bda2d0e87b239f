"""Runs the built kernel: `kernel-builder testshell`, then `python example.py`."""

import torch
import torch.nn.functional as F
from silu_and_mul import silu_and_mul

torch.manual_seed(0)
x = torch.randn(2, 8, dtype=torch.bfloat16)
print("kernel ", silu_and_mul(x))
print("eager  ", F.silu(x[..., :4]) * x[..., 4:])


# As the feed-forward block of a language model uses it: one matrix makes both halves, another one
# takes their product back.
@torch.compile(fullgraph=True, backend="aot_eager")
def feed_forward(tokens: torch.Tensor, up: torch.Tensor, down: torch.Tensor) -> torch.Tensor:
    return silu_and_mul(tokens @ up) @ down


tokens, up, down = torch.randn(3, 16), torch.randn(16, 2 * 32), torch.randn(32, 16)
print("block  ", tuple(feed_forward(tokens, up, down).shape))
