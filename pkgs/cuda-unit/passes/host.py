"""Compile the host's part of a unit with device code to the object `$out`.

The device code is in another object, under the name `$fatbinSymbol`; how its kernels are
registered is taken from the first pass, which may have been compiled with other headers. A
kernel that only this part has would be launched in vain, so that is looked for.
"""

import json
import os
import re
import shutil
import subprocess
import sys
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
# Stands where the front end writes a launch of nothing: for kernels made of templates that the
# device code lacks. One that is no template is an undefined symbol then.
MISSING = "kernel_builder_kernel_without_device_code"
LAUNCH_OF_NOTHING = re.compile(r"(\b__wrapper__device_stub_\w+\([^{};]*\)) \{[^{}]*\}")

first = Path(env["first"])
stub = (first / "stub.c").read_text()
data = FATBIN.replace("@symbol@", env["fatbinSymbol"])
found: "dict[str, steps.Step]" = {}


def mark_launches(file: Path) -> None:
    """Let launches of nothing be seen in the object."""
    declaration = f'extern "C" __attribute__((weak)) void {MISSING}();\n'
    file.write_text(declaration + LAUNCH_OF_NOTHING.sub(rf"\1 {{ ::{MISSING}(); }}", file.read_text()))


def compile_with(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the host's steps, with the stub in place of the one that the front end would read."""
    arguments = [*steps.compile_arguments(headers), *steps.target(env["arch"], ptx=False)]
    found.update((step.kind, step) for step in steps.steps(arguments))
    front = [word for word in found["cudafe++"].argv if word != "--gen_module_id_file"]
    found["cudafe++"] = steps.Step("cudafe++", front)
    Path(found["cudafe++"].option("--stub_file_name")).write_text(stub)
    Path(f"{steps.STEM}.fatbin.c").write_text(data)
    if not steps.run_all((found["preprocess-host"], found["cudafe++"]), output):
        return False
    if is_lean:
        mark_launches(Path(found["cudafe++"].option("--gen_c_file_name")))
    return steps.run_all([found["compile"]], output)


def check_kernels(file: str) -> None:
    """Fail if the object has kernels that the device code lacks."""
    listing = subprocess.run(["nm", "--undefined-only", file], stdout=subprocess.PIPE, text=True, check=True)
    if MISSING in listing.stdout.split():
        sys.exit(
            "the parts of a unit do not fit together\n\n"
            f"at     {env['source']}, compiled for the host with {headers} headers\n"
            "found  kernels made of templates that the device code, compiled with lean headers, lacks\n"
            "want   the same kernels with lean headers of Torch as with its own\n"
            'fix    set headers = "full" in [torch]'
        )


is_lean = json.loads((first / "pass.json").read_text())["headers"] == "lean"
steps.lay_out()
headers = steps.with_fallback("host", compile_with)
check_kernels(found["compile"].option("-o"))
shutil.copyfile(found["compile"].option("-o"), env["out"])
Path(env["report"]).write_text(json.dumps([{"unit": env["source"], "part": "host", "headers": headers}]) + "\n")
