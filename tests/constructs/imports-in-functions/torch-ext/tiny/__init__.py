from ._ops import ops
from .layers import backward as by_its_module

__all__ = ["answer", "by_its_module"]


def answer() -> int:
    return ops.answer()


def by_its_own_name(x):
    from tiny.layers import backward

    return backward(x)


def by_the_name_of_the_namespace():
    import torch

    return torch.ops.tiny.answer()


def with_a_package_that_nobody_declares(x):
    import einops

    return einops.rearrange(x, "a b -> b a")
