"""Rotary position embedding, forward only: no gradient flows through it."""

from typing import Optional

import torch

from ._ops import add_op_namespace_prefix, ops


def rope(
    x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor, out: Optional[torch.Tensor] = None
) -> torch.Tensor:
    """Turn the heads of `x` by their tokens' angles; written to `out` where one is given.

    `x` has the shape (tokens, heads, size), in float32, float16 or bfloat16; `cos` and `sin` are
    (tokens, size / 2) in float32. Elements i and i + size / 2 of a head are a point, which is
    turned by angle i. All are contiguous; `out=x` works in place. Raises RuntimeError otherwise.
    """
    if out is None:
        out = torch.empty_like(x)
    ops.rope(out, x, cos, sin)
    return out


@torch.library.register_fake(add_op_namespace_prefix("rope"))
def _rope_fake(out: torch.Tensor, x: torch.Tensor, cos: torch.Tensor, sin: torch.Tensor) -> None:
    """Lets torch.compile trace the op: it only writes to `out`."""


__all__ = ["rope"]
