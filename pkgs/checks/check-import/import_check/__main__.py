"""The check as a program: `python3 -m import_check BACKEND SHOWN_AS LOCAL_KERNELS [PACKAGE]... FOLDER`."""

import ctypes
import gc
import json
import os
import sys
from pathlib import Path

from checking.problem import tell

from import_check import stand_ins
from import_check.answer import explain


def main(arguments: "list[str]") -> int:
    """Import the variant in a folder and return the exit status."""
    # Little of what an import makes could be freed, and the search for it takes a third of the time.
    gc.disable()
    try:
        return check(arguments)
    finally:
        gc.freeze()


def check(arguments: "list[str]") -> int:
    """Do that, in a process that does nothing else."""
    backend, shown_as, local, *packages, name = arguments
    folder = Path(name)
    if local:
        os.environ["LOCAL_KERNELS"] = local
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HOME"] = os.environ["HOME"] = str(Path.cwd())

    from kernels import get_local_kernel  # after the environment that it reads

    # The loader finds by its name what the process has loaded already.
    for package in packages:
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    stand_ins.install(backend)
    try:
        module = get_local_kernel(folder, backend=backend)
    except BaseException as error:
        return tell("the kernel cannot be imported", [explain(error, folder, shown_as)])
    operators = list_operators(folder)
    (Path(os.environ["out"]) / "operators.json").write_text(json.dumps(operators))
    print(f"imported {module.__name__}: {len(dir(module))} names, {len(operators)} operators")
    return 0


def list_operators(folder: Path) -> "list[str]":
    """Return the schemas of what the variant has registered in Torch, without the namespace of this build."""
    import torch

    namespace = f"{json.loads((folder / 'metadata.json').read_text())['id']}::"
    schemas = map(str, torch._C._jit_get_all_schemas())
    return sorted(each.removeprefix(namespace) for each in schemas if each.startswith(namespace))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
