"""Loads a variant with the public client; runs in a process of its own."""

import ctypes
import gc
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from import_check import stand_ins
from import_check.advice import Place, explain
from import_check.registrations import watch


def load(
    place: Place, backend: str, local_kernels: str, packages: "Sequence[str]", sources: "Sequence[str]"
) -> "dict[str, Any]":
    """Import the variant; return its operators, or the problems with the import.

    `packages` may have stubs of a driver, `sources` are names of the C++ files.
    """
    # Little of what an import makes could be freed, and the search for it takes a third of the time.
    gc.disable()
    try:
        return _load(place, backend, local_kernels, packages, sources)
    finally:
        gc.freeze()


def _load(
    place: Place, backend: str, local_kernels: str, packages: "Sequence[str]", sources: "Sequence[str]"
) -> "dict[str, Any]":
    if local_kernels:
        os.environ["LOCAL_KERNELS"] = local_kernels
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HOME"] = os.environ["HOME"] = str(Path.cwd())

    from kernels import get_local_kernel  # after the environment that it reads

    # The loader finds by its name what the process has loaded already.
    for package in packages:
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    stand_ins.install(backend)
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    list_foreign = watch(place, namespace, sources)
    try:
        module = get_local_kernel(place.folder, backend=backend)
        raised = []
    except BaseException as error:
        raised = [explain(error, place)]
    foreign = list_foreign()
    if problems := [*foreign, *raised]:
        return {"is_foreign": bool(foreign), "problems": list(map(vars, problems))}
    return {"name": module.__name__, "names": len(dir(module)), "operators": list_operators(namespace)}


def list_operators(namespace: str) -> "list[str]":
    """Return the schemas of all operators in a namespace of Torch, without its name."""
    import torch

    schemas = map(str, torch._C._jit_get_all_schemas())
    return sorted(each.removeprefix(f"{namespace}::") for each in schemas if each.startswith(f"{namespace}::"))
