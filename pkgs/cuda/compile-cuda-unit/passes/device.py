"""Compile a unit's device code for one target.

`$out` gets `cubin`, `ptx` where it was asked for, `stub.c` (how the host registers the kernels)
and `pass.json`.
"""

import json
import os
import shutil
from pathlib import Path
from typing import IO, Optional

import steps

env = os.environ
PARTS = ("preprocess-device", "cicc", "ptxas")
found: "dict[str, steps.Step]" = {}


def compile_with(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the pass."""
    found.update((step.kind, step) for step in steps.steps([*steps.compile_arguments(headers), *steps.targets()]))
    return steps.run_all((found[part] for part in PARTS), output)


steps.lay_out()
tried = steps.with_all_macros(steps.smallest_sets()) if env["torchHeaders"] == "lean" else []
headers = steps.with_fallback(f"sm_{env['arch']}", tried, compile_with)

out = Path(env["out"])
out.mkdir()
shutil.copyfile(found["ptxas"].option("-o"), out / "cubin")
if env["ptx"]:
    shutil.copyfile(found["cicc"].option("-o"), out / "ptx")
shutil.copyfile(found["cicc"].option("--stub_file_name"), out / "stub.c")
options = [word for word in found["fatbinary"].argv if word.startswith("--cicc-cmdline=")]
facts = {
    "arch": env["arch"],
    "headers": steps.in_words_of_the_plan(headers),
    # "full", or which of the lean ones.
    "set": headers,
    "options": options,
}
(out / "pass.json").write_text(json.dumps(facts) + "\n")
