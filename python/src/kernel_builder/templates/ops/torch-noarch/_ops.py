"""The operators of this build, under the name that only this build has."""

import torch

ops = torch.ops.@extension@


def add_op_namespace_prefix(op_name: str) -> str:
    """Return `op_name` in the namespace of this build, as `torch.library` wants it."""
    return f"@extension@::{op_name}"
