"""Compile a unit's device code for one target.

`$out` gets `cubin`, `ptx` where it was asked for, `stub.c` (how the host registers the kernels)
and `pass.json`.
"""

import json
import os
import shutil
import sys
from pathlib import Path

import steps

env = os.environ
PARTS = ("preprocess-device", "cicc", "ptxas")


def compile_with(lean: bool) -> "dict[str, steps.Step] | None":
    """Run the pass; return its steps, or None if one fails."""
    listed = steps.steps([*steps.compile_arguments(lean), *steps.target(env["arch"], bool(env["ptx"]))])
    found = {step.kind: step for step in listed}
    for part in PARTS:
        if not steps.run(found[part], quiet=lean):
            return None
    return found


steps.lay_out()
headers = "lean" if env["lean"] else "full"
found = compile_with(lean=True) if env["lean"] else None
if found is None:
    if env["lean"]:
        headers = "full"
        print(f"{env['source']}, sm_{env['arch']}: does not parse with lean headers; compiled with Torch's own")
    found = compile_with(lean=False)
if found is None:
    sys.exit(1)

out = Path(env["out"])
out.mkdir()
shutil.copyfile(found["ptxas"].option("-o"), out / "cubin")
if env["ptx"]:
    shutil.copyfile(found["cicc"].option("-o"), out / "ptx")
shutil.copyfile(found["cicc"].option("--stub_file_name"), out / "stub.c")
options = [word for word in found["fatbinary"].argv if word.startswith("--cicc-cmdline=")]
(out / "pass.json").write_text(json.dumps({"arch": env["arch"], "headers": headers, "options": options}) + "\n")
