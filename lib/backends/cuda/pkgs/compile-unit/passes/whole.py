"""Compile a unit with device code for all targets at once, because its flags concern several passes.

Relocatable device code is linked here too, so a unit cannot call device functions of another unit.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Union

import launches
import steps

env = os.environ
compiled, linked = f"{steps.STEM}.o", f"{steps.STEM}.link.o"

steps.lay_out()
for step in steps.steps([*steps.compile_arguments("full"), *steps.targets()]):
    if not steps.run_all([step]):
        sys.exit(1)
    if step.kind == "cudafe++":
        launches.mark(step.option("--gen_c_file_name"))
report: "dict[str, Union[str, list[str]]]" = {
    "unit": env["source"],
    "part": "host",
    "headers": steps.in_words_of_the_plan("full"),
}
if lost := launches.find(compiled):
    launches.warn(env["source"], lost)
    report["launches"] = lost
Path(env["report"]).write_text(json.dumps([report]) + "\n")

sections = subprocess.run(["readelf", "--sections", "--wide", compiled], stdout=subprocess.PIPE, text=True, check=True)
if "__nv_relfatbin" not in sections.stdout:
    shutil.copyfile(compiled, env["out"])
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
if not steps.run_all(listed):
    sys.exit(1)
subprocess.run(["ld", "-r", compiled, linked, "-o", env["out"]], check=True)
