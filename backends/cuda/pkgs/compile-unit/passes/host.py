"""Compile the host pass of a unit with device code to the object `$out`.

The device code is in another object under the name `$fatbinSymbol`. The list of kernels to register
comes from the pass with the most kernels, which may have used other headers. If that pass lacks a
kernel that is launched here, it is compiled again with Torch's full headers. The report names such
kernels (`"lost"`), and the step that gathers the passes then compiles all of them again.
"""

from __future__ import annotations

import os

import device_pass
import findings
import launches
import steps
from files import read_bytes, read_text, write_bytes, write_text
from listing import read_fact, registered, with_most

env = os.environ

# The text that nvcc writes for `--embedded-fatbin`, without the data.
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

wanted = env["torchHeaders"]
lister = with_most(env["listedBy"].split())
data = FATBIN.replace("@symbol@", env["fatbinSymbol"])
found: dict[str, steps.Step] = {}


def list_steps(headers: str) -> dict[str, steps.Step]:
    """Return the steps by kind."""
    arguments = [*steps.compile_arguments(headers), *steps.targets()]
    return {step.kind: step for step in steps.steps(arguments)}


def preprocess(headers: str, output: steps.Output) -> bool:
    """Preprocess the unit for the front end, and put the stub of the listing pass in its place."""
    found.update(list_steps(headers))
    front = [word for word in found["cudafe++"].argv if word != "--gen_module_id_file"]
    found["cudafe++"] = steps.Step("cudafe++", front)
    write_text(found["cudafe++"].option("--stub_file_name"), read_text(f"{lister}/stub.c"))
    write_text(f"{steps.STEM}.fatbin.c", data)
    return steps.run_all([found["preprocess-host"]], output)


def compile_with(headers: str, output: steps.Output) -> bool:
    """Run the host steps, all with the same headers."""
    if not preprocess(headers, output) or not steps.run_all([found["cudafe++"]], output):
        return False
    return compile_generated(output)


def compile_with_lean_front_end(headers: str, output: steps.Output) -> bool:
    """Run the host steps with full headers, of which the front end reads only the lean part."""
    import aside

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


def compile_generated(output: steps.Output) -> bool:
    """Compile the front end's output."""
    launches.mark(found["cudafe++"].option("--gen_c_file_name"))
    step = found["compile"]
    return steps.run_all([steps.Step(step.kind, [*step.argv, *env["compileFlags"].splitlines()])], output)


def compile_part() -> str:
    """Compile the unit with the smallest headers that suffice, and return their name."""
    served = read_fact(lister, "set")
    if served == steps.PLAIN:
        return steps.with_fallback("host", [served], compile_with)
    if wanted != "lean-front-end":
        tried = steps.with_all_macros(["operators"]) if wanted == "lean" else []
        return steps.with_fallback("host", tried, compile_with)
    # The front end reads the same text as that pass, so smaller headers do not suffice either.
    sets = steps.smallest_sets()
    return steps.with_fallback(
        "host", sets[sets.index(served) :] if served in sets else [], compile_with_lean_front_end
    )


steps.lay_out()
headers = compile_part()
made = found["compile"].option("-o")
said = {}
again = os.path.abspath("again")
lost = launches.find(made)
if lost and read_fact(lister, "headers") == "lean":
    device_pass.compile_again(lister, again)
    # If both lists are equal, lean headers are not the reason.
    if registered(again) != registered(lister):
        why = f"device code with lean headers lacks {', '.join(lost)}"
        print(f"{env['source']}, host: {why}; compiled with Torch's own", flush=True)
        said["lost"], lister = lost, again
        headers = steps.with_fallback("host", [], compile_with)
        lost = launches.find(made)
if lost:
    launches.refuse(env["source"], lost)
write_bytes(env["out"], read_bytes(made))
findings.report([("host", steps.in_words_of_the_plan(headers))], **said)
findings.store([], "".join(steps.messages))
