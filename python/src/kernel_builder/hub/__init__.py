"""Uploads kernels to the Hub, and builds published ones again to compare them."""

from __future__ import annotations

import sys
from importlib.util import find_spec

from kernel_builder.messages.errors import KernelBuilderError, Problem


def require_library(name: str, extra: str = "") -> None:
    """Raise KernelBuilderError if an optional library is missing; `extra` installs it."""
    if find_spec(name) is not None:
        return
    fix = f"pip install 'kernel-builder{f'[{extra}]' if extra else ''}', or use the Nix-built one"
    want = f"the library {name}, which needs Python 3.10 or newer"
    problem = Problem(sys.executable, "no such library", want, fix)
    raise KernelBuilderError(f"{name} is missing", [problem])
