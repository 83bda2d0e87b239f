"""Compile the device code of a unit for one target, and store it in a folder.

The folder has `cubin`, `ptx` if requested, `stub.c` (the registration of the kernels for the host) and a file for each
fact (`listing.read_fact`). `messages` are those of the compilers.
"""

from __future__ import annotations

import os
import sys

import steps
from files import read_bytes, write_bytes, write_text
from listing import read_fact

PARTS = ("preprocess-device", "cicc", "ptxas")
# Arguments of `fatbinary` for one target or file. The others describe how the code was compiled.
OWN = ("--image3=", "--embedded-fatbin=", "--create=")


def compile_pass(target: list[str], headers: str, output: steps.Output = None) -> dict[str, steps.Step] | None:
    """Compile for a target, given as arguments of nvcc; return the steps, or None if one failed."""
    found = {step.kind: step for step in steps.steps([*steps.compile_arguments(headers), *target])}
    return found if steps.run_all((found[part] for part in PARTS), output) else None


def keep(found: dict[str, steps.Step], arch: str, headers: str, out: str, *, target: list[str], ptx: bool) -> None:
    """Copy the results of a pass into the folder `out`."""
    os.makedirs(out)
    made = {"cubin": ("ptxas", "-o"), "ptx": ("cicc", "-o"), "stub.c": ("cicc", "--stub_file_name")}
    for name, (kind, option) in made.items():
        if ptx or name != "ptx":
            write_bytes(f"{out}/{name}", read_bytes(found[kind].option(option)))
    options = [word for word in found["fatbinary"].argv[1:] if word != "-64" and not word.startswith(OWN)]
    facts = {
        "arch": arch,
        "target": "\n".join(target),
        "headers": steps.in_words_of_the_plan(headers),
        # "full", or the name of a set of lean headers.
        "set": headers,
        "options": "\n".join(options),
    }
    for name, fact in facts.items():
        write_text(f"{out}/{name}", fact)
    write_bytes(f"{out}/messages", "".join(steps.messages).encode(errors="replace"))


def compile_again(a_pass: str, out: str) -> None:
    """Compile a pass again with Torch's full headers, into the folder `out`."""
    target, made = read_fact(a_pass, "target").splitlines(), {}

    def compile_full(output: steps.Output) -> bool:
        made.update(compile_pass(target, "full", output) or {})
        return bool(made)

    is_made, said = steps.capture(compile_full)
    steps.keep_messages(said)
    if not is_made:
        sys.exit(1)
    keep(made, read_fact(a_pass, "arch"), "full", out, target=target, ptx=os.path.exists(f"{a_pass}/ptx"))
