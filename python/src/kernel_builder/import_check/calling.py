"""Imports a built variant with the check that builds run as well."""

import json
import sys
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernel_builder.machine.process import run
from kernel_builder.messages.errors import read_error

# Torch takes 5 to 20 s to import.
IMPORT_SECONDS: Final = 600
# Runs a module of given folders. -I leaves out the current folder and PYTHONPATH.
_RUN_MODULE: Final = (
    "import runpy, sys; sys.path[:0] = [sys.argv.pop(1) for _ in range(int(sys.argv.pop(1)))]; "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def check_import(
    variant: str | PathLike[str],
    *,
    python: str | None = None,
    local_kernels: Mapping[str, str] | None = None,
    seconds: float = IMPORT_SECONDS,
) -> list[str]:
    """Import a built variant as `get_kernel` of the kernels package does.

    Args:
        variant: The variant's folder, with metadata.json.
        python: A Python with Torch (or TVM FFI) and the kernels package; None is this one.
        local_kernels: Folders of builds by repository, for kernels that this one loads.
        seconds: The time that the import may take.

    Returns:
        The schemas of the operators that the variant registers, without their namespace.

    Raises:
        KernelBuilderError: The import fails, or registers something outside of its namespace.
    """
    folder = Path(variant).resolve()
    backend = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["backend"]["type"]
    package = Path(__file__).resolve().parents[2]
    options = json.dumps({"backend": backend, "shown_as": folder.name, "limit": seconds})
    argv = module_argv(python or sys.executable, "kernel_builder.import_check", [package])
    kernels = ":".join(f"{name}={path}" for name, path in (local_kernels or {}).items())
    with TemporaryDirectory(prefix="kernel-builder-") as work_folder:
        out = Path(work_folder) / "out"
        environment = {"out": str(out), **({"LOCAL_KERNELS": kernels} if kernels else {})}
        done = run([*argv, options, str(folder)], cwd=Path(work_folder), environment=environment)
        if done.status == 0:
            return [*json.loads((out / "operators.json").read_text("utf-8"))["operators"]]
    raise read_error(done.stderr, f"{folder.name} cannot be imported")


def module_argv(python: str, module: str, folders: Sequence[Path]) -> list[str]:
    """Return the words that run a module in one of `folders`, and nothing of the current folder.

    -B: root may write to the Nix store, and bytecode next to a module there changes its package.
    """
    words = ["-I", "-B", "-X", "utf8", "-c", _RUN_MODULE]
    return [python, *words, str(len(folders)), *map(str, folders), module]
