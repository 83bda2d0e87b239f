"""Opens a kernel as that of the user, or as one of others if --untrusted says so."""

from collections.abc import Sequence
from pathlib import Path

from kernel_builder.extras import open_untrusted
from kernel_builder.kernel.folder import Kernel
from kernel_builder.settings import current_settings


def open_kernel(folder: Path, targets: Sequence[str] = (), system: str | None = None) -> Kernel:
    """Return the kernel in a folder."""
    opener = open_untrusted if current_settings().untrusted else Kernel
    return opener(folder, targets, system)
