"""The operators of this build, under the name that only this build has."""

from pathlib import Path

import torch

# An import would not find the library: free-threaded Pythons do not take `.abi3.so` for a module.
# The path is not resolved: files in the cache of the Hub are links to another folder.
torch.ops.load_library(str(Path(__file__).absolute().parent / "@file@"))

ops = torch.ops.@extension@


def add_op_namespace_prefix(op_name: str) -> str:
    """Return `op_name` in the namespace of this build, as `torch.library` wants it."""
    return f"@extension@::{op_name}"
