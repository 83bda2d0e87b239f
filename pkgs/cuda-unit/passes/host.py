"""Compile the host's part of a unit with device code to the object `$out`.

The device code is in another object, under the name `$fatbinSymbol`; how its kernels are
registered is taken from the first pass.
"""

import os
import shutil
import sys
from pathlib import Path

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

steps.lay_out()
listed = steps.steps([*steps.compile_arguments(lean=False), *steps.target(env["arch"], ptx=False)])
found = {step.kind: step for step in listed}
front = found["cudafe++"]
front = steps.Step(front.kind, [word for word in front.argv if word != "--gen_module_id_file"])

Path(front.option("--stub_file_name")).write_text((Path(env["first"]) / "stub.c").read_text())
Path(f"{steps.STEM}.fatbin.c").write_text(FATBIN.replace("@symbol@", env["fatbinSymbol"]))
for step in (found["preprocess-host"], front, found["compile"]):
    if not steps.run(step):
        sys.exit(1)
shutil.copyfile(found["compile"].option("-o"), env["out"])
