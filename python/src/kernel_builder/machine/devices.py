"""The backends that this machine has a device for, by the script of `lib/backends`."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterable
from typing import Final

from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.machine.process import run

VARIABLE: Final = "KERNEL_BUILDER_BACKEND"


def find_devices(backends: Iterable[str]) -> list[str]:
    """Return those backends whose kernels can run here; the variable overrides that."""
    wanted = list(dict.fromkeys(backends))
    chosen = os.environ.get(VARIABLE)
    if chosen:
        return [backend for backend in wanted if backend == chosen]
    loop = f"for each in {shlex.join(wanted)}; do if has_backend $each; then echo $each; fi; done"
    script = evaluate_library("platforms.presence.script")
    return run(["sh", "-c", f"{script}\n{loop}"]).stdout.split()
