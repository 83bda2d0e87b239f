"""Compile a unit with device code for all targets at once, because its flags concern several passes.

Relocatable device code is linked here too, so a unit cannot use device functions or variables of another unit. The
object gets its own copy of the device runtime's host part, which registers that code.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import findings
import launches
import steps

env = os.environ
compiled, linked = f"{steps.STEM}.o", f"{steps.STEM}.link.o"

steps.lay_out()
for step in steps.steps([*steps.compile_arguments("full"), *steps.targets()]):
    is_made, said = steps.capture(steps.run_all, [step])
    steps.keep_messages(said)
    if not is_made:
        sys.exit(1)
    if step.kind == "cudafe++":
        launches.mark(step.option("--gen_c_file_name"))
if lost := launches.find(compiled):
    launches.refuse(env["source"], lost)
findings.report([("host", steps.in_words_of_the_plan("full"))])

sections = subprocess.run(["readelf", "--sections", "--wide", compiled], stdout=subprocess.PIPE, text=True, check=True)
if "__nv_relfatbin" not in sections.stdout:
    shutil.copyfile(compiled, env["out"])
    findings.store([], "".join(steps.messages))
    sys.exit()

call = [*env["linkFlags"].splitlines(), compiled, "-o", linked]
# nvlink writes its arguments into the code, so the toolkit gets a relative name.
Path("toolkit").symlink_to(Path(shutil.which("nvcc") or "").parent.parent / "lib")
listed = [
    steps.Step(step.kind, ["-Ltoolkit" if word.startswith("-L") else word for word in step.argv])
    for step in steps.steps(call)
    # nvcc also removes files that do not exist.
    if step.kind != "rm"
]
is_linked, said = steps.capture(steps.run_all, listed)
steps.keep_messages(said)
if not is_linked:
    sys.exit(1)


def defined(file: str) -> "set[str]":
    """Return the symbols that an object defines for others."""
    call = ["nm", "--defined-only", "--extern-only", "--format=just-symbols", file]
    return {*subprocess.run(call, stdout=subprocess.PIPE, text=True, check=True).stdout.split()}


# The linker takes the device runtime's host part only if the device code uses it.
subprocess.run(["ld", "-r", compiled, linked, "-Ltoolkit", "-lcudadevrt", "-o", "whole.o"], check=True)
# Units with a copy of the same parts must not see each other's.
Path("own").write_text("".join(f"{name}\n" for name in sorted(defined("whole.o") - defined(compiled))))
subprocess.run(["objcopy", "--localize-symbols=own", "whole.o", env["out"]], check=True)
findings.store([], "".join(steps.messages))
