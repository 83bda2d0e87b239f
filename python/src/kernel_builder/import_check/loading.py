"""Loads a variant with the public client, in a child process."""

import ctypes
import gc
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from kernel_builder.import_check import stand_ins
from kernel_builder.import_check.advice import Place, explain_error
from kernel_builder.import_check.registrations import watch_registrations


def load_variant(
    place: Place,
    backend: str,
    device: "Mapping[str, Any] | None",
    local_kernels: str,
    packages: Sequence[str],
    sources: Sequence[str],
) -> "dict[str, Any]":
    """Import the variant; return its operators, or the problems with the import.

    `device` describes the GPU to stand in for; `packages` may have driver stubs in `lib/stubs`;
    `sources` are the names of the C++ files.
    """
    # The collector would free little and take a third of the time of an import.
    gc.disable()
    if local_kernels:
        os.environ["LOCAL_KERNELS"] = local_kernels
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HOME"] = os.environ["HOME"] = str(Path.cwd())

    from kernels import get_local_kernel  # reads the variables above when it is imported

    # The loader finds a library by its name if the process has already loaded it.
    for package in packages:
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    if device is not None:
        stand_ins.install(device)
    namespace = place.read_metadata()["id"]
    list_foreign = watch_registrations(place, namespace, sources)
    try:
        module = get_local_kernel(place.folder, backend=backend)
        raised = []
    except BaseException as error:
        raised = [explain_error(error, place)]
    gc.freeze()
    foreign = list_foreign()
    if problems := [*foreign, *raised]:
        return {"is_foreign": bool(foreign), "problems": [each.as_data() for each in problems]}
    operators = list_operators(namespace)
    return {"name": module.__name__, "names": len(dir(module)), "operators": operators}


def list_operators(namespace: str) -> "list[str]":
    """Return the schemas of the operators in a namespace of Torch, without the namespace."""
    import torch

    prefix = f"{namespace}::"
    schemas = map(str, torch._C._jit_get_all_schemas())
    return sorted(each[len(prefix) :] for each in schemas if each.startswith(prefix))
