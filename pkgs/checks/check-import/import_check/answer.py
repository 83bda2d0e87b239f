"""What the author is told of an import that raised: the line of the kernel, and what to do with it."""

import re
import traceback
from pathlib import Path

from checking.problem import Problem

# How Torch, Triton and the drivers' libraries say that there is no GPU.
NO_GPU = re.compile(
    r"NVIDIA driver|not compiled with (CUDA|XPU)|No (CUDA|HIP|XPU) GPUs|active drivers"
    r"|requires CUDA support|dummy base class|libcuda\.so|no accelerator|when none is available"
    r"|CUDA-capable device|cuDNN version|'types.SimpleNamespace' object has no attribute"
)
LEAVE_OUT = "`doGetKernelCheck = false` in flake.nix builds without this check"
GENERATED = "_ops.py"


def explain(error: BaseException, folder: Path, shown_as: str) -> Problem:
    """Return the problem that an exception is, raised by the import of the variant in `folder`.

    `shown_as` is the folder in the kernel that the Python files are from.
    """
    want, fix = _advise(error)
    text = "".join(traceback.format_exception_only(type(error), error)).strip()
    lines = [line for line in text.splitlines() if not line.startswith("while importing kernel ")]
    return Problem("\n".join(find_lines(error, folder, shown_as)), "\n".join(lines), want, f"{fix}; {LEAVE_OUT}")


def find_lines(error: BaseException, folder: Path, shown_as: str) -> "list[str]":
    """Return the kernel's own lines that led to an exception, the last one first."""
    found = []
    for frame in traceback.extract_tb(error.__traceback__):
        file = Path(frame.filename)
        if file.is_relative_to(folder):
            code = f": {frame.line}" if frame.line else ""
            found.append(f"{shown_as}/{file.relative_to(folder)}:{frame.lineno}{code}")
    if isinstance(error, SyntaxError) and error.filename and Path(error.filename).is_relative_to(folder):
        found.append(f"{shown_as}/{Path(error.filename).relative_to(folder)}:{error.lineno}")
    # What the build wrote is nothing to look into, unless nothing else is known.
    own = [line for line in found if f"/{GENERATED}:" not in line]
    return (own or found or [shown_as])[::-1]


def _advise(error: BaseException) -> "tuple[str, str]":
    """Return what is wanted, and what to do."""
    if NO_GPU.search(str(error)):
        return (
            "an import that needs no GPU: there is none where kernels are built",
            "move what this line does into a function that runs when it is needed",
        )
    if isinstance(error, ModuleNotFoundError):
        return (
            "modules of the kernel, of Torch, and of what `python-depends` names",
            f"name the package of {error.name} in `python-depends`, or import it in the function that needs it",
        )
    return "an import that raises nothing", "mend what it raises"
