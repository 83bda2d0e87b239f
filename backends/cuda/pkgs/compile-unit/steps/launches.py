"""Find launches of kernels that the device code lacks.

For a kernel template, nvcc gives the host compiler a function that does nothing, and a specialization with
the launch for each instantiation in the device code. If the host compiler instantiates another one, the launch
silently does nothing. Therefore that function is made to call a function whose name shows in the object.
"""

import sys

from files import read_bytes, read_text, write_text

MARK = "kernel_builder_without_device_code_"
STUB = "__wrapper__device_stub_"


def mark(file: str) -> None:
    """Change the front end's output so that launches without device code show in the object."""
    text = read_text(file)
    if STUB not in text:
        return
    import re

    launch_of_nothing = rf"(\b{STUB}(\w+)\([^{{}};]*\)) \{{[^{{}}]*\}}"
    text, count = re.subn(launch_of_nothing, rf"\1 {{ ::{MARK}\2(); }}", text)
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
    if MARK.encode() not in read_bytes(file):
        return []
    import subprocess

    listing = subprocess.run(["nm", file], stdout=subprocess.PIPE, text=True, check=True).stdout
    return sorted({word[len(MARK) :] for word in listing.split() if word.startswith(MARK)})


def refuse(source: str, kernels: "list[str]") -> None:
    """End the step: these kernels of a unit are launched, and the launch would do nothing without an error."""
    names = ", ".join(kernels)
    sys.exit(f"{source}: error: launches of {names} with template arguments for which there is no device code")
