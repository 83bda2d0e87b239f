"""A package as other build systems have it.

import scipy
torch.ops.ported.forward
"""

import ctypes
import os

import einops
import scipy.cluster
import torch
from ported.layers import norm

from . import _C, layers
from .missing import nothing

if torch.cuda.is_available():
    from ported_cuda import forward
try:
    import apex
except ImportError:
    apex = None

torch.ops.load_library("ported.so")
library = torch.library.Library("ported", "DEF")
loaded = ctypes.CDLL(os.path.join(os.path.dirname(__file__), "ported.so"))
compiled = torch.utils.cpp_extension.load(name="ported", sources=["ported.cpp"])


def backward(x):
    import jax  # torch.ops.ported.backward

    return torch.ops.ported.backward(x)


@torch.library.custom_op("ported::double", mutates_args=())
@torch.library.register_fake(f"{library.ns}::double")
@backward.register_kernel("cuda")
def double(x: torch.Tensor) -> torch.Tensor:
    return x * 2
