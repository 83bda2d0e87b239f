"""Root mean square layer normalisation, with gradients."""

from typing import Any

import torch

from . import layers
from ._ops import add_op_namespace_prefix, ops


def rmsnorm(x: torch.Tensor, weight: torch.Tensor, eps: float = 1e-6) -> torch.Tensor:
    """Return x / sqrt(mean(x * x) + eps) * weight, over the last dimension of `x`."""
    return ops.rmsnorm(x, weight, eps)[0]


@torch.library.register_fake(add_op_namespace_prefix("rmsnorm"))
def _rmsnorm_fake(
    x: torch.Tensor, weight: torch.Tensor, _eps: float
) -> tuple[torch.Tensor, torch.Tensor]:
    """Shapes and dtypes of the results, for torch.compile."""
    torch._check(
        weight.dim() == 1 and weight.shape[0] == x.shape[-1],
        lambda: f"rmsnorm: want a weight of shape [{x.shape[-1]}], found {list(weight.shape)}",
    )
    out = torch.empty_like(x, memory_format=torch.contiguous_format)
    return out, x.new_empty(x.shape[:-1], dtype=torch.float32)


@torch.library.register_fake(add_op_namespace_prefix("rmsnorm_backward"))
def _rmsnorm_backward_fake(
    _grad: torch.Tensor, x: torch.Tensor, weight: torch.Tensor, _rstd: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    return torch.empty_like(x, memory_format=torch.contiguous_format), torch.empty_like(weight)


def _keep(ctx: Any, inputs: tuple[Any, ...], output: tuple[torch.Tensor, torch.Tensor]) -> None:
    x, weight, _eps = inputs
    ctx.save_for_backward(x, weight, output[1])


def _backward(
    ctx: Any, grad: torch.Tensor, _grad_rstd: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, None]:
    """`rstd` is an intermediate result that nobody differentiates."""
    grad_x, grad_weight = ops.rmsnorm_backward(grad, *ctx.saved_tensors)
    return grad_x, grad_weight, None


torch.library.register_autograd(add_op_namespace_prefix("rmsnorm"), _backward, setup_context=_keep)

__all__ = ["layers", "rmsnorm"]
