"""Imports a variant as its users do, with the public client."""

import ctypes
from importlib import import_module
from pathlib import Path
from typing import Any

from kernel_builder.import_check import stand_ins
from kernel_builder.import_check.problems import Place
from kernel_builder.import_check.stand_ins import Questions


def prepare(options: "dict[str, Any]", questions: Questions, *, is_there: bool = False) -> None:
    """Load Torch and the client, and stand in for the GPU that `options` describe."""
    import_module("torch")
    import_module("kernels")
    # The loader finds a library by its name if the process has already loaded it.
    for package in options.get("stubs_of", ()):
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    if device := options.get("device"):
        stand_ins.install(device, questions, is_there=is_there)


def import_kernel(place: Place, options: "dict[str, Any]") -> "tuple[Any, Any]":
    """Return the kernel's module and its operators, as the client imports them."""
    kernel = import_module("kernels").get_local_kernel(place.folder, backend=options["backend"])
    # A kernel may import it later, or never.
    return kernel, import_module(f"{kernel.__name__}._ops").ops
