"""Half precision matrix product made with CUTLASS, forward only: no gradient flows through it."""

import torch

from ._ops import add_op_namespace_prefix, ops


def gemm(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return a @ b for float16 matrices [m, k] and [k, n], where n and k are multiples of 8."""
    return ops.gemm(a, b)


@torch.library.register_fake(add_op_namespace_prefix("gemm"))
def _gemm_fake(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Shape, dtype and device of the result, for torch.compile."""
    torch._check(
        a.dim() == 2 and b.dim() == 2 and a.shape[1] == b.shape[0],
        lambda: f"gemm: want shapes [m, k] and [k, n], found {list(a.shape)} and {list(b.shape)}",
    )
    return a.new_empty((a.shape[0], b.shape[1]))


__all__ = ["gemm"]
