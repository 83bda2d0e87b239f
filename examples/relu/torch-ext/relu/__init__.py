"""max(x, 0), forward only: no gradient flows through these functions."""

from typing import Optional

import torch

from . import layers
from ._ops import add_op_namespace_prefix, ops


def relu(x: torch.Tensor, out: Optional[torch.Tensor] = None) -> torch.Tensor:
    """Return max(x, 0), written to `out` where one is given (`out=x` works in place)."""
    if out is None:
        out = torch.empty_like(x)
    ops.relu(out, x)
    return out


@torch.library.register_fake(add_op_namespace_prefix("relu"))
def _relu_fake(out: torch.Tensor, input: torch.Tensor) -> None:
    """Lets torch.compile trace the op; what the op refuses is refused here as well."""
    torch._check(
        out.device == input.device,
        lambda: f"relu: out is on {out.device}, but input is on {input.device}",
    )
    torch._check(
        out.dtype == input.dtype, lambda: f"relu: out is {out.dtype}, but input is {input.dtype}"
    )
    torch._check(
        out.shape == input.shape,
        lambda: f"relu: out has shape {list(out.shape)}, but input has shape {list(input.shape)}",
    )


__all__ = ["layers", "relu"]
