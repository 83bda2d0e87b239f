"""Layers whose `forward` can stand in for that of another module, whose attributes they use."""

import torch
from torch import nn

from .._ops import ops


class RMSNorm(nn.Module):
    can_torch_compile: bool = True
    has_backward: bool = True

    weight: torch.Tensor
    variance_epsilon: float

    def forward(self, hidden_states: torch.Tensor) -> torch.Tensor:
        return ops.rmsnorm(hidden_states, self.weight, self.variance_epsilon)[0]


__all__ = ["RMSNorm"]
