"""Messages about an import that raised: the line of the kernel, and what to do with it."""

import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from checking.problem import Problem

from import_check import own_files
from import_check.output import without_frames

# Messages of Torch, Triton and the drivers' libraries where there is no GPU.
NO_GPU = re.compile(
    r"NVIDIA driver|not compiled with (CUDA|XPU)|No (CUDA|HIP|XPU) GPUs|active drivers"
    r"|requires CUDA support|dummy base class|libcuda\.so|no accelerator|when none is available"
    r"|CUDA-capable device|cuDNN version|'types.SimpleNamespace' object has no attribute"
)
# Torch's message where the schema in `ops.def` does not fit its C++ function.
SCHEMA = re.compile(r"inferred (operator |function )?schema", re.IGNORECASE)
LEAVE_OUT = "`doGetKernelCheck = false` in flake.nix builds without this check"
GENERATED = "_ops.py"


@dataclass(frozen=True)
class Place:
    """The folder of a variant, and the kernel's folder that its Python files come from."""

    folder: Path
    shown_as: str

    def show_frames(self, frames: "Iterable[tuple[str, Any, Any]]") -> str:
        """Return those frames (file, line, code) that are in the variant, one a line; else the kernel's folder."""
        lines = []
        for file, line, code in frames:
            if Path(file).is_relative_to(self.folder):
                text = f": {code}" if code else ""
                lines.append(f"{self.shown_as}/{Path(file).relative_to(self.folder)}:{line}{text}")
        # Generated files help nobody, unless nothing else is known.
        own = [line for line in lines if f"/{GENERATED}:" not in line]
        return "\n".join(dict.fromkeys(own or lines or [self.shown_as]))


def explain(error: BaseException, place: Place) -> Problem:
    """Return the problem that an exception of the import is."""
    frames = [(each.filename, each.lineno, each.line) for each in traceback.extract_tb(error.__traceback__)]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno, ""))
    text = without_frames("".join(traceback.format_exception_only(type(error), error)))
    lines = [line for line in text.splitlines() if not line.startswith("while importing kernel ")]
    want, fix = own_files.advise(error, place.folder, place.shown_as) or advise(error, str(error))
    return Problem(place.show_frames(reversed(frames)), "\n".join(lines), want, f"{fix}; {LEAVE_OUT}")


def advise(error: "BaseException | None", text: str) -> "tuple[str, str]":
    """Return what is wanted, and what to do about an exception of Python or C++ with this text."""
    if NO_GPU.search(text):
        return (
            "an import that needs no GPU: there is none where kernels are built",
            "move what this line does into a function that runs when it is needed",
        )
    if SCHEMA.search(text):
        return (
            "a schema in `ops.def(…)` with the arguments and results of its C++ function",
            "correct the schema or the function",
        )
    if isinstance(error, ModuleNotFoundError):
        return (
            "modules of the kernel, of Torch, and of what `python-depends` names",
            f"name the package of {error.name} in `python-depends`, or import it in the function that needs it",
        )
    return "an import that raises nothing", "correct what raises it"
