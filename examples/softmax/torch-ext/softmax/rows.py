"""The device code, and the op that launches it."""

import json
from pathlib import Path

import torch
import triton
import triton.language as tl

from ._ops import add_op_namespace_prefix

# A row is held by one program.
MOST_COLUMNS = 1 << 16
# Beside this file in what is published; tuned once for each number of columns, where it runs.
CONFIGS = [
    triton.Config({}, **launch)
    for launch in json.loads(Path(__file__).with_name("launches.json").read_text())
]


# The tuner runs every choice many times. Without `restore_value`, `out=x` would become the softmax
# of a softmax.
@triton.autotune(configs=CONFIGS, key=["columns"], restore_value=["out"])
@triton.jit
def _softmax_row(out, input, columns, block: tl.constexpr):
    offsets = tl.arange(0, block)
    inside = offsets < columns
    # A tensor may have more than 2**31 elements.
    begin = tl.program_id(0).to(tl.int64) * columns
    row = tl.load(input + begin + offsets, mask=inside, other=-float("inf")).to(tl.float32)
    powers = tl.exp(row - tl.max(row, axis=0))
    tl.store(out + begin + offsets, powers / tl.sum(powers, axis=0), mask=inside)


# Registered under this build's own name, so that two versions can be loaded side by side.
@torch.library.custom_op(add_op_namespace_prefix("softmax"), mutates_args={"out"})
def _softmax(out: torch.Tensor, input: torch.Tensor) -> None:
    columns = input.shape[-1]
    if rows := input.numel() // columns:
        _softmax_row[(rows,)](out, input, columns, triton.next_power_of_2(columns))


@_softmax.register_fake
def _softmax_fake(out: torch.Tensor, input: torch.Tensor) -> None:
    """Lets torch.compile trace the op: it only writes to `out`."""
