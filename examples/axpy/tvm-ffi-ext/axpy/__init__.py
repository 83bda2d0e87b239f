"""a * x + y for float32 tensors of any framework that knows DLPack."""

from typing import Any

from ._ops import ops


def axpy(a: float, x: Any, y: Any, out: Any) -> Any:
    """Write a * x + y to `out` and return it.

    All three are contiguous float32 tensors of one shape, on one device: TypeError or ValueError
    for what is not. They may be Torch's, NumPy's (on the CPU) or anybody's who knows DLPack.
    """
    ops.axpy(out, a, x, y)
    return out


__all__ = ["axpy"]
