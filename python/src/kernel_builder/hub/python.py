"""A Python that has the library of a task: this one, or the pinned one that Nix makes.

Those for the Hub and for signatures need a newer Python than this command does, and there an
untested version hurts most. So what is tested is pinned with all else, and fetched and built when
it is needed first; only a Python that already has a version of the same kind is used as it is, so
that a machine without Nix can upload, too.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from packaging.specifiers import SpecifierSet

from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.process import module_argv, replace
from kernel_builder.messages.errors import KernelBuilderError


@dataclass(frozen=True)
class Library:
    """A library by its name, the versions that will do, and the package that has the pinned one."""

    name: str
    versions: SpecifierSet
    package: str


HUB: Final = Library("huggingface_hub", SpecifierSet(">=2.4,<3"), "hubPython")
SIGSTORE: Final = Library("sigstore", SpecifierSet(">=4.5,<5"), "signPython")
# Set for the second run, so that there is no third.
MARK: Final = "KERNEL_BUILDER_HUB_PYTHON"


def has_library(library: Library) -> bool:
    """Say whether this Python has a library in a version that will do."""
    try:
        return metadata.version(library.name) in library.versions
    except metadata.PackageNotFoundError:
        return False


def continue_with_library(arguments: Sequence[str], library: Library = HUB) -> None:
    """Return if this Python has the library; else run the same command with one that has."""
    if has_library(library):
        return
    if os.environ.get(MARK):
        raise KernelBuilderError(f"internal error: {sys.executable} has no {library.name}")
    python = _make_python(library)
    source = Path(__file__).resolve().parents[2]
    replace([*module_argv(python, "kernel_builder", [source]), *arguments], {MARK: "1"})


def _make_python(library: Library) -> str:
    # Loaded only here: most commands need no building.
    from kernel_builder.variants.make import make_path

    made = make_path(
        evaluate_package(library.package),
        f"no {library.name} here, and the pinned one cannot be had; "
        f"pip install '{library.name}{library.versions}' for {sys.executable} is another way",
    )
    return f"{made}/bin/python3"
