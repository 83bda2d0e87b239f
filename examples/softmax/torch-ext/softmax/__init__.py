"""Softmax of the rows of a tensor, in Triton."""

from typing import Optional

import torch

from . import layers
from ._ops import ops
from .rows import MOST_COLUMNS


def softmax(x: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Return the softmax over the last dimension of `x`, computed in float32.

    Written to `out` where one is given (`out=x` works in place). Raises ValueError unless both are
    contiguous and a row has at least one and at most `MOST_COLUMNS` elements.
    """
    if out is None:
        out = torch.empty_like(x)
    if not (x.is_contiguous() and out.is_contiguous()):
        raise ValueError("softmax: want contiguous tensors")
    if out.shape != x.shape or not x.dim() or not 1 <= x.shape[-1] <= MOST_COLUMNS:
        raise ValueError(f"softmax: want tensors alike, with 1 to {MOST_COLUMNS} columns")
    ops.softmax(out, x)
    return out


__all__ = ["MOST_COLUMNS", "layers", "softmax"]
