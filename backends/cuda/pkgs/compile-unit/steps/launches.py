"""Find launches of kernels that the device code lacks.

For a kernel template, nvcc gives the host compiler a function that does nothing, and a specialization with
the launch for each instantiation in the device code. If the host compiler instantiates another one, the launch
silently does nothing. Therefore that function is made to call a function whose name shows in the object.
"""

import re
from pathlib import Path

import findings

MARK = "kernel_builder_without_device_code_"
_LAUNCH_OF_NOTHING = re.compile(r"(\b__wrapper__device_stub_(\w+)\([^{};]*\)) \{[^{}]*\}")


def read_text(file: str) -> str:
    """Return a file's text, with any bytes."""
    return Path(file).read_bytes().decode(errors="surrogateescape")


def write_text(file: str, text: str) -> None:
    """Write a text that `read_text` returned."""
    Path(file).write_bytes(text.encode(errors="surrogateescape"))


def mark(file: str) -> None:
    """Change the front end's output so that launches without device code show in the object."""
    text, count = _LAUNCH_OF_NOTHING.subn(rf"\1 {{ ::{MARK}\2(); }}", read_text(file))
    if count:
        names = sorted(set(re.findall(rf"::{MARK}(\w+)\(\)", text)))
        # The function is emitted only if it is called. It does nothing, but the optimizer cannot know that.
        functions = (
            f'extern "C" __attribute__((noinline)) inline void {MARK}{name}() {{ __asm__ volatile(""); }}'
            for name in names
        )
        write_text(file, "\n".join([*functions, text]))


def find(file: str) -> "list[str]":
    """Return the kernels that an object launches without device code."""
    # Nearly all have no such launch, and need neither the module nor the process.
    if MARK.encode() not in Path(file).read_bytes():
        return []
    import subprocess

    listing = subprocess.run(["nm", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return sorted({word[len(MARK) :] for word in listing.split() if word.startswith(MARK)})


def refuse(source: str, kernels: "list[str]") -> None:
    """End the step: these kernels of a unit are launched, and the launch would do nothing without an error."""
    findings.fail(
        "kernels are launched that have no device code, so the launch would do nothing",
        at=source,
        found=f"launches of {', '.join(kernels)} with template arguments for which there is no device code",
        want="the same instantiations in both: types and templates that do not depend on __CUDA_ARCH__",
        fix="let only what is in a kernel depend on __CUDA_ARCH__ (docs/troubleshooting/parts-of-a-unit.md)",
    )
