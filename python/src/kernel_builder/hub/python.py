"""A Python that has the Hub's library: this one, or the pinned one that Nix makes.

The library needs a newer Python than this command does, and uploading is where an untested
version hurts most. So what is tested is pinned with all else, and fetched and built when it is
needed first; only a Python that already has a version of the same kind is used as it is, so that
a machine without Nix can upload, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.specifiers import SpecifierSet

from kernel_builder.kernel.repository import evaluate_package
from kernel_builder.machine.process import replace
from kernel_builder.messages.errors import KernelBuilderError

LIBRARY: Final = "huggingface_hub"
VERSIONS: Final = SpecifierSet(">=2.4,<3")
# Set for the second run, so that there is no third.
MARK: Final = "KERNEL_BUILDER_HUB_PYTHON"


def has_library() -> bool:
    """Say whether this Python has the Hub's library in a version that will do."""
    try:
        return metadata.version(LIBRARY) in VERSIONS
    except metadata.PackageNotFoundError:
        return False


def continue_with_library(arguments: Sequence[str]) -> None:
    """Return if this Python has the library; else run the same command with one that has."""
    if has_library():
        return
    if os.environ.get(MARK):
        raise KernelBuilderError(f"internal error: {sys.executable} has no {LIBRARY}")
    python = _make_python()
    source = str(Path(__file__).resolve().parents[2])
    replace([python, "-m", "kernel_builder", *arguments], {"PYTHONPATH": source, MARK: "1"})


def _make_python() -> str:
    # Loaded only here: most commands need no building.
    from kernel_builder.variants.make import make_path

    made = make_path(
        evaluate_package("hubPython"),
        f"no {LIBRARY} here, and the pinned one cannot be had; "
        f"pip install '{LIBRARY}{VERSIONS}' for {sys.executable} is another way",
    )
    return f"{made}/bin/python3"
