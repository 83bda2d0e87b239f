"""Compile the host's part of a unit with device code to the object `$out`.

The device code is in another object, under the name `$fatbinSymbol`; how its kernels are
registered is taken from the pass that has the most, which may have been compiled with other headers. A
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

import aside
import steps
from listing import with_most

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

# A collection whenever the heap has grown by so many per cent (the default is twice the heap):
# the same object, with a seventh less of memory for a tenth more of time.
LESS_MEMORY = "--param=ggc-min-expand=30"

wanted = env["torchHeaders"]
lister = with_most([Path(path) for path in env["listedBy"].split()])
stub = (lister / "stub.c").read_text()
data = FATBIN.replace("@symbol@", env["fatbinSymbol"])
found: "dict[str, steps.Step]" = {}


def read_text(file: str) -> str:
    """Return a file's text, whatever bytes are in it."""
    return Path(file).read_bytes().decode(errors="surrogateescape")


def write_text(file: str, text: str) -> None:
    """Write what `read_text` read."""
    Path(file).write_bytes(text.encode(errors="surrogateescape"))


def list_steps(headers: str) -> "dict[str, steps.Step]":
    """Return the steps by their kinds."""
    arguments = [*steps.compile_arguments(headers), *steps.targets()]
    return {step.kind: step for step in steps.steps(arguments)}


def preprocess(headers: str, output: "Optional[IO[str]]") -> bool:
    """Preprocess the unit for the front end, with the stub in place of the one that that would read."""
    found.update(list_steps(headers))
    front = [word for word in found["cudafe++"].argv if word != "--gen_module_id_file"]
    found["cudafe++"] = steps.Step("cudafe++", front)
    write_text(found["cudafe++"].option("--stub_file_name"), stub)
    write_text(f"{steps.STEM}.fatbin.c", data)
    return steps.run_all([found["preprocess-host"]], output)


def compile_with(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the host's steps, all with the same headers."""
    if not preprocess(headers, output) or not steps.run_all([found["cudafe++"]], output):
        return False
    return compile_generated(output)


def compile_with_lean_front_end(headers: str, output: "Optional[IO[str]]") -> bool:
    """Run the host's steps with Torch's own headers, of which the front end reads as many as lean ones have."""
    if headers == "full":
        return compile_with(headers, output)
    if not preprocess(headers, output):
        return False
    needed = aside.files(read_text(found["cudafe++"].argv[-1]))
    if not preprocess("full", output):
        return False
    text, pieces = aside.set_aside(read_text(found["cudafe++"].argv[-1]), needed)
    write_text(found["cudafe++"].argv[-1], text)
    if not steps.run_all([found["cudafe++"]], output):
        return False
    whole = aside.put_back(read_text(found["cudafe++"].option("--gen_c_file_name")), pieces)
    if whole is None:
        return False
    write_text(found["cudafe++"].option("--gen_c_file_name"), whole)
    return compile_generated(output)


def compile_generated(output: "Optional[IO[str]]") -> bool:
    """Compile what the front end wrote."""
    if is_lean:
        mark_launches(found["cudafe++"].option("--gen_c_file_name"))
    step = found["compile"]
    return steps.run_all([steps.Step(step.kind, [*step.argv, LESS_MEMORY])], output)


def mark_launches(file: str) -> None:
    """Let launches of nothing be seen in the object."""
    declaration = f'extern "C" __attribute__((weak)) void {MISSING}();\n'
    write_text(file, declaration + LAUNCH_OF_NOTHING.sub(rf"\1 {{ ::{MISSING}(); }}", read_text(file)))


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


listed = json.loads((lister / "pass.json").read_text())
# The kernels are those of that pass, so what it was compiled with counts.
is_lean = "lean" in listed["headers"] or wanted == "lean-front-end"
steps.lay_out()
if wanted == "lean-front-end":
    # What did not serve that pass does not serve the front end, which reads the same text.
    sets = steps.smallest_sets()
    tried = sets[sets.index(listed["set"]) :] if listed["set"] in sets else []
    headers = steps.with_fallback("host", tried, compile_with_lean_front_end)
else:
    tried = steps.with_all_macros(["operators"]) if wanted == "lean" else []
    headers = steps.with_fallback("host", tried, compile_with)
headers = steps.in_words_of_the_plan(headers)
check_kernels(found["compile"].option("-o"))
shutil.copyfile(found["compile"].option("-o"), env["out"])
Path(env["report"]).write_text(json.dumps([{"unit": env["source"], "part": "host", "headers": headers}]) + "\n")
