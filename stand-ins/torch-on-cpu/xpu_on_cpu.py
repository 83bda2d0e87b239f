"""Makes the processor a device `xpu` of this Torch.

Python imports this file when it starts, and Torch calls `start` when it is imported.
"""

import ctypes
import os
import sys
from pathlib import Path
from types import SimpleNamespace

OPENCL = Path("@opencl@/lib")
# As Torch has it: 20250301 is oneAPI 2025.3.1.
VERSION = "@version@"


def load() -> None:
    """Load the libraries, because Torch asks for what they register while it is imported."""
    print("`xpu` is the processor here, and no GPU", file=sys.stderr)
    # The driver of the processor, also on a machine with others.
    os.environ["OCL_ICD_FILENAMES"] = str(OPENCL / "libintelocl.so")
    os.environ["ONEAPI_DEVICE_SELECTOR"] = "opencl:cpu"
    libraries = Path(__file__).parent / "torch/lib"
    # The OpenCL library needs what the first one loads.
    for path in (libraries / "libc10_xpu.so", OPENCL / "libOpenCL.so.1", libraries / "libtorch_xpu.so"):
        ctypes.CDLL(str(path), ctypes.RTLD_GLOBAL)


def start() -> None:
    """Answer for the parts of Torch's Python interface that are compiled for Intel GPUs alone."""
    import torch

    torch._C._has_xpu = True
    torch._C._xpu_getDeviceCount = lambda: 1
    torch._C._xpu_synchronize = lambda _: torch.accelerator.synchronize()
    zeros = ("getDevice", "setDevice", "exchangeDevice", "maybeExchangeDevice", "getCurrentRawStream", "emptyCache")
    for name in zeros:
        setattr(torch._C, f"_xpu_{name}", lambda *_: 0)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    properties = SimpleNamespace(name="the processor", total_memory=memory, has_fp16=True, has_fp64=True)
    torch.xpu._get_device_properties = lambda _: properties
    torch.version.xpu = VERSION
    torch.xpu._exchange_device = torch.xpu._maybe_exchange_device = lambda _: 0
    torch.xpu.default_generators = (torch.default_generator,)
    torch.xpu._initialized = True


load()
