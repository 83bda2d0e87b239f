"""Build Torch kernels with Nix, check them, and upload them to the Hub.

>>> import kernel_builder
>>> kernel_builder.find_variants("examples/relu")
['torch213-cxx11-cpu-x86_64-linux', ...]
>>> report = kernel_builder.build_variants("examples/relu", backends=["cpu"])
>>> report.as_data()["variants"][0]["state"]
'built'

The functions need Nix 2.8 or newer. Everything that they do, the command `kernel-builder` does as
well: its commands call them. How kernels are built is decided in Nix, by the flake of
kernel-builder that `Settings.builder` names.
"""

from kernel_builder._version import __version__
from kernel_builder.api import (
    build_variants,
    check_import,
    check_kernel,
    find_variants,
    render_ops,
)
from kernel_builder.hub import UploadOptions
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.publish import sign_kernel, upload_kernel, verify_kernel, verify_signatures
from kernel_builder.settings import Settings

__all__ = [
    "KernelBuilderError",
    "Problem",
    "Settings",
    "UploadOptions",
    "__version__",
    "build_variants",
    "check_import",
    "check_kernel",
    "find_variants",
    "render_ops",
    "sign_kernel",
    "upload_kernel",
    "verify_kernel",
    "verify_signatures",
]
