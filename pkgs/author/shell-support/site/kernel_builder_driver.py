"""Finds the machine's NVIDIA driver in folders that the loader does not search.

The loader of this Python reads /etc/ld.so.cache, which is enough on most systems. NixOS and WSL
have the driver elsewhere. The loader finds a library by its name once the process has loaded it, so
this module loads it by its path. LD_LIBRARY_PATH would also affect every child process.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

LIBRARY = "libcuda.so.1"
FOLDERS = ("/run/opengl-driver/lib", "/usr/lib/wsl/lib")


def load_driver(folders: tuple[str, ...] = FOLDERS) -> str | None:
    """Load the driver from the first folder that has it; return its file, or None."""
    for folder in folders:
        file = Path(folder) / LIBRARY
        if file.exists():
            try:
                ctypes.CDLL(str(file), mode=ctypes.RTLD_GLOBAL)
            except OSError:
                continue
            return str(file)
    return None
