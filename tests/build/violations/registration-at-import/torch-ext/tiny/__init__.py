"""Names that only the import shows, and one that a file of the kernel has for itself."""

import functools
import importlib

import torch

from ._ops import add_op_namespace_prefix

library = importlib.import_module("torch.library")


def one(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


for number in range(2):
    library.custom_op("::".join(["tiny", f"one_{number}"]), mutates_args=())(one)
functools.partial(torch.library.define, "tiny::two")("(Tensor x) -> Tensor")
torch.library.custom_op(add_op_namespace_prefix("one"), mutates_args=())(one)
