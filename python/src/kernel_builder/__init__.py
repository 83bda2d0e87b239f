"""Builds Torch kernels with Nix, checks them, and uploads them to the Hub.

The command `kernel-builder` does all of this. Three of its duties are functions for other programs:
`render_ops`, `check_import` and `upload`. A name is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from kernel_builder._version import __version__

if TYPE_CHECKING:
    from kernel_builder.hub import UploadOptions as UploadOptions
    from kernel_builder.hub.upload import upload as upload
    from kernel_builder.import_check.calling import check_import as check_import
    from kernel_builder.messages.errors import KernelBuilderError as KernelBuilderError
    from kernel_builder.messages.errors import Problem as Problem
    from kernel_builder.ops import render_ops as render_ops

_MODULES = {
    "KernelBuilderError": "messages.errors",
    "Problem": "messages.errors",
    "UploadOptions": "hub",
    "check_import": "import_check.calling",
    "render_ops": "ops",
    "upload": "hub.upload",
}
__all__ = ["__version__", *_MODULES]


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
