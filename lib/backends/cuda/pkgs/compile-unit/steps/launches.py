"""Launches of kernels that the device code lacks.

For a kernel made of a template, nvcc gives the host's compiler a function that does nothing, and a specialisation
with the launch for each instantiation that the device code has. Where the host's compiler instantiates another, the
launch does nothing, and nobody says so. So that function is made to call one whose name the object then shows.
"""

import re
import subprocess
from pathlib import Path

MARK = "kernel_builder_without_device_code_"
_LAUNCH_OF_NOTHING = re.compile(r"(\b__wrapper__device_stub_(\w+)\([^{};]*\)) \{[^{}]*\}")


def read_text(file: str) -> str:
    """Return a file's text, whatever bytes are in it."""
    return Path(file).read_bytes().decode(errors="surrogateescape")


def write_text(file: str, text: str) -> None:
    """Write what `read_text` read."""
    Path(file).write_bytes(text.encode(errors="surrogateescape"))


def mark(file: str) -> None:
    """Let launches of nothing be seen in the object that is made of what the front end wrote."""
    text, count = _LAUNCH_OF_NOTHING.subn(rf"\1 {{ ::{MARK}\2(); }}", read_text(file))
    if count:
        names = sorted(set(re.findall(rf"::{MARK}(\w+)\(\)", text)))
        # Emitted only if it is called. It does as little as nvcc's own, but no optimiser knows that.
        functions = (
            f'extern "C" __attribute__((noinline)) inline void {MARK}{name}() {{ __asm__ volatile(""); }}'
            for name in names
        )
        write_text(file, "\n".join([*functions, text]))


def find(file: str) -> "list[str]":
    """Return the kernels that an object launches without device code."""
    listing = subprocess.run(["nm", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return sorted({word[len(MARK) :] for word in listing.split() if word.startswith(MARK)})


def warn(source: str, kernels: "list[str]") -> None:
    """Say that these kernels of a unit are launched in vain."""
    print(
        "warning: kernels are launched that have no device code, so nothing is run\n\n"
        f"at     {source}\n"
        f"found  {', '.join(kernels)}: gcc has other template arguments for it than nvcc\n"
        "want   the same instantiations in both\n"
        "fix    see docs/troubleshooting/parts-of-a-unit.md",
        flush=True,
    )
