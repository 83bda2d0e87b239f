"""Multiplies by a number, with code of its own for Hopper; forward only."""

import torch

from ._ops import add_op_namespace_prefix, ops


def scale(x: torch.Tensor, factor: float) -> torch.Tensor:
    """Return x * factor for a float32 tensor on CUDA."""
    return ops.scale(x, factor)


def uses_hopper(x: torch.Tensor) -> bool:
    """Say whether `scale` takes the code that only Hopper can run for this tensor."""
    return ops.uses_hopper(x)


@torch.library.register_fake(add_op_namespace_prefix("scale"))
def _scale_fake(input: torch.Tensor, _factor: float) -> torch.Tensor:
    return torch.empty_like(input, memory_format=torch.contiguous_format)


__all__ = ["scale", "uses_hopper"]
