"""Compile a unit with device code in one go, for all targets: its flags do not let it be taken apart.

Relocatable device code is linked here as well, so a unit may not call device functions of another.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import steps

env = os.environ
targets = steps.targets()
compiled, linked = f"{steps.STEM}.o", f"{steps.STEM}.link.o"

steps.lay_out()
if not steps.run_all(steps.steps([*steps.compile_arguments("full"), *targets])):
    sys.exit(1)

sections = subprocess.run(["readelf", "--sections", "--wide", compiled], stdout=subprocess.PIPE, text=True, check=True)
if "__nv_relfatbin" not in sections.stdout:
    shutil.copyfile(compiled, env["out"])
    sys.exit()

optimised = [flag for flag in env["flags"].splitlines() if flag.lstrip("-") in ("dlto", "dlink-time-opt")]
call = ["-dlink", "-Xcompiler=-fPIC", *optimised, *targets, compiled, "-o", linked]
# nvlink writes its arguments into the code, so the toolkit gets a name without its place.
Path("toolkit").symlink_to(Path(shutil.which("nvcc") or "").parent.parent / "lib")
listed = [
    steps.Step(step.kind, ["-Ltoolkit" if word.startswith("-L") else word for word in step.argv])
    for step in steps.steps(call)
    # It cleans up after itself, also what is not there.
    if step.kind != "rm"
]
if not steps.run_all(listed):
    sys.exit(1)
subprocess.run(["ld", "-r", compiled, linked, "-o", env["out"]], check=True)
