"""The gated activation of many language models, forward only: no gradient flows through it."""

import torch

from ._ops import add_op_namespace_prefix, ops


def silu_and_mul(x: torch.Tensor) -> torch.Tensor:
    """Return silu(x[..., :d]) * x[..., d:], where the last dimension of `x` has 2 * d elements."""
    return ops.silu_and_mul(x)


@torch.library.register_fake(add_op_namespace_prefix("silu_and_mul"))
def _silu_and_mul_fake(input: torch.Tensor) -> torch.Tensor:
    """Shape, dtype and device of the result, for torch.compile."""
    torch._check(
        input.dim() > 0 and input.shape[-1] % 2 == 0,
        lambda: (
            f"silu_and_mul: want a last dimension of even size, found shape {list(input.shape)}"
        ),
    )
    return input.new_empty((*input.shape[:-1], input.shape[-1] // 2))


__all__ = ["silu_and_mul"]
