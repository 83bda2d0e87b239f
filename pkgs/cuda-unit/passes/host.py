"""Compile the host's part of a unit with device code to the object `$out`.

The device code is in another object, under the name `$fatbinSymbol`; how its kernels are
registered is taken from the first pass.
"""

import json
import os
import shutil
from pathlib import Path
from typing import IO, Optional

import steps

env = os.environ

# What nvcc writes for `--embedded-fatbin`, but for the data.
FATBIN = """\
#ifndef __SKIP_INTERNAL_FATBINARY_HEADERS
#include "fatbinary_section.h"
#endif
#define __CUDAFATBINSECTION ".nvFatBinSegment"
#ifdef __cplusplus
extern "C" {
#endif
extern __attribute__((visibility("hidden"))) const unsigned long long @symbol@[];
static const __fatBinC_Wrapper_t __fatDeviceText __attribute__((aligned(8)))
__attribute__((section(__CUDAFATBINSECTION))) = {0x466243b1, 1, @symbol@, 0};
#ifdef __cplusplus
}
#endif
"""

stub = (Path(env["first"]) / "stub.c").read_text()
data = FATBIN.replace("@symbol@", env["fatbinSymbol"])
found: "dict[str, steps.Step]" = {}


def compile_with(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the host's steps, with the stub in place of the one that the front end would read."""
    arguments = [*steps.compile_arguments(headers), *steps.target(env["arch"], ptx=False)]
    found.update((step.kind, step) for step in steps.steps(arguments))
    front = [word for word in found["cudafe++"].argv if word != "--gen_module_id_file"]
    found["cudafe++"] = steps.Step("cudafe++", front)
    Path(found["cudafe++"].option("--stub_file_name")).write_text(stub)
    Path(f"{steps.STEM}.fatbin.c").write_text(data)
    return steps.run_all((found["preprocess-host"], found["cudafe++"], found["compile"]), output)


steps.lay_out()
headers = steps.with_fallback("host", compile_with)
shutil.copyfile(found["compile"].option("-o"), env["out"])
Path(env["report"]).write_text(json.dumps([{"unit": env["source"], "part": "host", "headers": headers}]) + "\n")
