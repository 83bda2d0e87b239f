"""Messages about an import that raised: the line of the kernel, and how to correct it."""

import json
import re
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Optional

from kernel_builder.import_check import own_files
from kernel_builder.import_check.output import remove_frames
from kernel_builder.messages.problem import Problem

# Messages of Torch, Triton and driver libraries on a machine without a GPU.
NO_GPU = re.compile(
    r"NVIDIA driver|not compiled with (CUDA|XPU)|No (CUDA|HIP|XPU) GPUs|active drivers"
    r"|requires CUDA support|dummy base class|libcuda\.so|no accelerator|when none is available"
    r"|CUDA-capable device|cuDNN version|'types.SimpleNamespace' object has no attribute"
)
# Torch's message if the schema in `ops.def` does not fit its C++ function.
SCHEMA = re.compile(r"inferred (operator |function )?schema", re.IGNORECASE)
LEAVE_OUT = "`doGetKernelCheck = false` in flake.nix builds without this check"
GENERATED = "_ops.py"


@dataclass(frozen=True)
class Place:
    """The folder of a variant, and the kernel's folder that its Python files come from."""

    folder: Path
    shown_as: str

    def read_metadata(self) -> "dict[str, Any]":
        """Return the content of metadata.json."""
        data: dict[str, Any] = json.loads((self.folder / "metadata.json").read_text())
        return data

    def show_frames(self, frames: "Iterable[tuple[str, Any, Any]]") -> str:
        """Return a line for each frame (file, line, code) in the variant, else the folder."""
        lines = []
        for file, line, code in frames:
            if Path(file).is_relative_to(self.folder):
                text = f": {code}" if code else ""
                lines.append(f"{self.shown_as}/{Path(file).relative_to(self.folder)}:{line}{text}")
        # Authors cannot edit generated files, so those are shown only if there is nothing else.
        written = [line for line in lines if f"/{GENERATED}:" not in line]
        return "\n".join(dict.fromkeys(written or lines or [self.shown_as]))


def explain_error(error: BaseException, place: Place) -> Problem:
    """Return the problem for an exception that the import raised."""
    stack = traceback.extract_tb(error.__traceback__)
    frames = [(each.filename, each.lineno, each.line) for each in stack]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno, ""))
    text = remove_frames("".join(traceback.format_exception_only(type(error), error)))
    lines = [line for line in text.splitlines() if not line.startswith("while importing kernel ")]
    metadata = place.read_metadata()
    want, fix = own_files.advise_on_files(
        error, place.folder, place.shown_as, metadata
    ) or advise_on_text(error, str(error))
    at = place.show_frames(reversed(frames))
    return Problem(at, "\n".join(lines), want, f"{fix}; {LEAVE_OUT}")


def advise_on_text(error: Optional[BaseException], text: str) -> "tuple[str, str]":
    """Return `want` and `fix` for an exception of Python or C++ with this text."""
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
            f"name the package of {error.name} in `python-depends`, "
            "or import it in the function that needs it",
        )
    return "an import that raises nothing", "correct what raises it"
