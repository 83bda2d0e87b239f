"""The same mistake in many spellings. The check finds names in calls, the import all others."""

import torch
import torch.library as tl
from torch.library import register_fake as rf

from ._ops import add_op_namespace_prefix, ops
from .names import OP

NAMESPACE = "tiny"
lib = torch.library


@torch.library.custom_op("tiny::one", mutates_args=())
def one(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@rf("tiny::two")
def two(x):
    return x


@tl.register_kernel(OP, "cpu")
def three(x):
    return x


lib.register_vmap(f"{NAMESPACE}::four", one)


def register():
    library = lib.Library(NAMESPACE, "DEF")
    library.define("five(Tensor x) -> Tensor")
    library.impl("five", one, "CPU")


torch.library.register_torch_dispatch(NAMESPACE + "::six", torch.Tensor, one)
torch.library.define("tiny::seven", "(Tensor x) -> Tensor")


@torch.library.register_fake(add_op_namespace_prefix("fine"))
def fine(x):
    return x


def answer() -> int:
    return ops.answer()
