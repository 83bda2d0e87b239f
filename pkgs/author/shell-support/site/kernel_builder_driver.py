"""Finds the machine's NVIDIA driver where the loader does not look for it by itself.

The loader of this Python reads /etc/ld.so.cache, which is enough on most systems. NixOS and WSL
keep the driver elsewhere. A library that a process has loaded once is found by its name from
then on, so it is loaded here, by its whole path: no LD_LIBRARY_PATH, which every program that is
started from here would inherit.
"""

from __future__ import annotations

import ctypes
from pathlib import Path

LIBRARY = "libcuda.so.1"
FOLDERS = ("/run/opengl-driver/lib", "/usr/lib/wsl/lib")


def load_driver(folders: tuple[str, ...] = FOLDERS) -> str | None:
    """Load the driver from the first folder that has it; return the file, or None."""
    for folder in folders:
        file = Path(folder) / LIBRARY
        if file.exists():
            try:
                ctypes.CDLL(str(file), mode=ctypes.RTLD_GLOBAL)
            except OSError:
                continue
            return str(file)
    return None
