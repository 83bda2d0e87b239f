"""Which backends this machine has a device for.

The backends of `lib/backends` ask the same of a shell.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

VARIABLE: Final = "KERNEL_BUILDER_BACKEND"
# What Intel calls itself, as a maker of devices.
INTEL: Final = "0x8086"


def _exists(*paths: str) -> bool:
    return any(Path(path).exists() for path in paths)


def _has_intel_gpu() -> bool:
    for file in Path("/sys/class/drm").glob("renderD*/device/vendor"):
        try:
            if file.read_text().strip() == INTEL:
                return True
        except OSError:
            continue
    return False


DEVICES: Final[Mapping[str, Callable[[], bool]]] = {
    "cpu": lambda: True,
    # The driver's device, and where WSL and Jetson boards have it.
    "cuda": lambda: _exists(
        "/dev/nvidiactl", "/usr/lib/wsl/lib/libcuda.so.1", "/etc/nv_tegra_release"
    ),
    "metal": lambda: sys.platform == "darwin",
    "rocm": lambda: _exists("/dev/kfd"),
    "xpu": _has_intel_gpu,
}


def has_device(backend: str) -> bool:
    """Say whether a backend's kernels can run here; the variable chooses instead of looking."""
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return backend == chosen
    return backend in DEVICES and DEVICES[backend]()
