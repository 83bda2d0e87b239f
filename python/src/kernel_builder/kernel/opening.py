"""Opens a kernel as that of the user, or as one of others if --untrusted says so."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from kernel_builder.kernel.folder import Kernel
from kernel_builder.settings import current_settings


def open_kernel(folder: Path, targets: Sequence[str] = (), system: str | None = None) -> Kernel:
    """Return the kernel in a folder."""
    if not current_settings().untrusted:
        return Kernel(folder, targets, system)
    # Most commands do without what this takes to load.
    from kernel_builder.kernel.untrusted import UntrustedKernel

    return UntrustedKernel(folder, targets, system)
