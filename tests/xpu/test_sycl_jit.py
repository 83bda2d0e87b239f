"""Kernels for Intel GPUs, compiled by Intel's compiler library and run on the processor."""

import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from tests.derivation import Derivation, named
from tests.evaluation import (
    ROOT,
    SYSTEM,
    NixError,
    build,
    build_again,
    evaluate,
    outputs_of,
    path_of,
    realise,
)
from tests.taken_apart import OUTLINE, TakenApart
from tests.xpu.xpu_kernel import SHIFT, STABLE, VARIANT, xpu_kernel

ON_CPU = f"overlays = [ (import {path_of(ROOT / 'stand-ins')}).xpuOnCpu ];"
DEVICES = ("pvc", "xe-lpg", "ats-m150")
# The families of the devices, as ocloc names the code for them. `xe-lpg` are two.
PRODUCTS = {"64.12.60.7", "64.12.70.4", "64.12.71.4", "64.12.55.8"}

PLAIN = """\
#include <sycl/sycl.hpp>
void shift(sycl::queue &queue, float *numbers, float by) {
  queue.parallel_for(sycl::range<1>(7), [=](sycl::id<1> i) { numbers[i] += by; });
  queue.single_task([=] { numbers[0] = sycl::sqrt(by); });
}
"""
BFLOAT16 = """\
#include <sycl/ext/oneapi/bfloat16.hpp>
#include <sycl/sycl.hpp>
void shift(sycl::queue &queue, sycl::ext::oneapi::bfloat16 *numbers) {
  queue.single_task([=] { numbers[0] = float(numbers[1]) + 1; });
}
"""
CONSTANT = """\
#include <sycl/sycl.hpp>
constexpr sycl::specialization_id<int> by(3);
void shift(sycl::queue &queue, int *numbers) {
  queue.submit([&](sycl::handler &handler) {
    handler.set_specialization_constant<by>(5);
    handler.single_task([=](sycl::kernel_handler kernel) {
      numbers[0] += kernel.get_specialization_constant<by>();
    });
  });
}
"""
# A program that calls the function of BFLOAT16.
MAIN = """\
#include <sycl/sycl.hpp>
#include <cstdio>
using Number = sycl::ext::oneapi::bfloat16;
void shift(sycl::queue &queue, Number *numbers);
int main() {
  sycl::queue queue(sycl::cpu_selector_v);
  Number *numbers = sycl::malloc_shared<Number>(2, queue);
  numbers[1] = 2.5f;
  shift(queue, numbers);
  queue.wait();
  std::printf("%g", static_cast<float>(numbers[0]));
}
"""
ELSEWHERE = """\
#include <sycl/sycl.hpp>
SYCL_EXTERNAL int elsewhere(int number);
void shift(sycl::queue &queue, int *numbers) {
  queue.single_task([=] { numbers[0] = elsewhere(numbers[0]); });
}
"""


def read(folder: Path, source: str, name: str = VARIANT, /, **keys: str) -> TakenApart:
    """Return the kernel whose `.sycl` file has this text, instantiated."""
    kernel = xpu_kernel(folder, {SHIFT: source}, **keys)
    variant = f"{outputs_of(kernel.folder, ON_CPU)}.redistributable.{json.dumps(name)}"
    data = evaluate(f"({OUTLINE}) {variant}")
    return TakenApart(data["drv"], data["plan"], tuple(data["objects"]))


def step(variant: TakenApart, ending: str) -> Derivation:
    return named(variant.drv, f"shift.sycl{ending}")


def archives(binary: Path) -> Iterator[tuple[bytes, dict[str, bytes]]]:
    """Yield the archives of machine code in an object, each with its members."""
    section = ELFFile(io.BytesIO(binary.read_bytes())).get_section_by_name(".rodata.sycl")
    data = section.data() if section else b""
    for match in re.finditer(rb"!<arch>\n", data):
        at, members = match.end(), {}
        while data[at + 58 : at + 60] == b"`\n":
            name, size = data[at : at + 16].split(b"/")[0].decode(), int(data[at + 48 : at + 58])
            members[name] = data[at + 60 : at + 60 + size]
            at += 60 + size + size % 2
        yield data[match.start() : at], members


def test_an_object_has_the_code_that_was_asked_for(tmp_path: Path) -> None:
    variant = read(tmp_path, BFLOAT16)
    binary, _ = (build(step(variant, ending).path) for ending in (".device.o", ".host.o"))
    ((_, members),) = archives(binary)
    assert set(members) >= PRODUCTS
    for product in PRODUCTS:
        sections = ELFFile(io.BytesIO(members[product])).iter_sections()
        assert any(s.name.startswith(".text.") and "shift" in s.name for s in sections)
    # The portable code is beside it, for other devices.
    code = build(step(variant, ".device").path)
    assert (code / "0.spv").read_bytes() in binary.read_bytes()
    build_again(*(step(variant, f".{ending}").path for ending in ("device", "host.o", "pvc")))


def test_parts_have_the_code_that_one_call_of_ocloc_gives(tmp_path: Path) -> None:
    variant = read(tmp_path, PLAIN)
    (binary, code) = (build(step(variant, ending).path) for ending in (".device.o", ".device"))
    ((archive, _),) = archives(binary)
    ahead = step(variant, ".pvc")
    ocloc = build(named(ahead.path, "debian-ocloc").path) / "bin" / "ocloc"
    arguments = ("-device", ",".join(DEVICES), "-options", ahead.env["options"])
    output = ("-output_no_suffix", "-output", "all.bin")
    argv = [str(ocloc), "compile", "-spirv_input", "-file", f"{code}/0.spv", *arguments, *output]
    subprocess.run(argv, cwd=tmp_path, check=True, capture_output=True)
    assert archive == (tmp_path / "all.bin").read_bytes()


def test_each_part_is_made_of_what_it_depends_on(tmp_path: Path) -> None:
    before = read(tmp_path / "before", PLAIN)
    flagged = read(tmp_path / "after", PLAIN, **{"sycl-flags": '["-fsycl-targets=spir64"]'})
    assert {step(before, f".{device}").env["device"] for device in DEVICES} == {*DEVICES}
    # Portable code alone, as the flag says.
    assert step(flagged, ".device.o").env["ahead"] == ""
    host, code = step(before, ".host.o"), step(before, ".device")
    assert host.env["code"] == code.outputs["out"]
    assert not {device for device in DEVICES if any(device in path for path in host.inputs)}


@pytest.mark.parametrize(
    ("source", "message"),
    [
        (CONSTANT, "specialization constants are not supported"),
        (ELSEWHERE, r"calls _Z9elsewherei, which it does not have"),
        ("#include <sycl/sycl.hpp>\nvoid f() { sycl::rang<1> r; }\n", "shift.sycl:2:18: error"),
    ],
    ids=["specialization constant", "function of another file", "no C++"],
)
def test_refuses(source: str, message: str, tmp_path: Path) -> None:
    variant = read(tmp_path, source)
    with pytest.raises(NixError, match=message):
        realise(step(variant, ".device").path)


def test_refuses_sycl_tla(tmp_path: Path) -> None:
    with pytest.raises(NixError, match="does not compile sycl-tla"):
        read(tmp_path, "#include <cute/tensor.hpp>\n", depends='["torch", "sycl_tla"]')


# An earlier release; its row has a Torch that is on Torch's own server alone.
EARLIER, OF_EARLIER = "2025.3", f"torch212-cxx11-xpu20253-{SYSTEM}"


def test_the_code_of_an_earlier_release_runs(tmp_path: Path) -> None:
    variant = read(tmp_path, BFLOAT16, OF_EARLIER)
    objects = [build(step(variant, ending).path) for ending in (".host.o", ".device.o")]
    toolkit = named(step(variant, ".host.o").path, f"sycl-jit-{EARLIER}")
    (program := tmp_path / "main.cpp").write_text(MAIN)
    libraries = Path(toolkit.outputs["out"]) / "lib"
    gcc = build(named(toolkit.path, "toolchain-gcc-12").path) / "bin"
    headers = ("-std=c++17", "-w", "-isystem", f"{toolkit.outputs['dev']}/include")
    # SYCL's libraries need some libraries of the machine.
    link = (f"-L{libraries}", "-lsycl", "-Wl,--unresolved-symbols=ignore-in-shared-libs")
    argv = [f"{gcc}/g++", *headers, str(program), *map(str, objects), *link, "-o", "main"]
    # The compiler starts an assembler and a linker by their names.
    subprocess.run(argv, cwd=tmp_path, check=True, env={"PATH": str(gcc)})
    opencl = build(named(variant.drv, "intel-opencl").path) / "lib"
    environment = {
        "LD_LIBRARY_PATH": f"{libraries}:{opencl}",
        "OCL_ICD_FILENAMES": f"{opencl}/libintelocl.so",
        "ONEAPI_DEVICE_SELECTOR": "opencl:cpu",
    }
    assert subprocess.check_output([tmp_path / "main"], env=environment, text=True) == "3.5"


IN_A_SHELL = """
import torch
torch.manual_seed(3)
x = torch.arange(6.0, device="xpu").reshape(2, 3).t()[1:]
x.resize_(2, 2)
print(x, x.half().sum().item(), torch.randn(3, device="xpu").isfinite().all().item())
print(torch.accelerator.current_accelerator(), torch.xpu.get_device_properties().has_fp64)
"""


def test_an_example_runs_on_the_processor(tmp_path: Path) -> None:
    kernel = shutil.copytree(ROOT / "examples" / "rmsnorm", tmp_path / "rmsnorm")
    outputs = outputs_of(kernel, ON_CPU)
    tests = evaluate(f"{outputs}.ciTests.{json.dumps(STABLE)}.drvPath")
    python = build(named(tests, f"{STABLE}-python").path) / "bin" / "python3"
    said = subprocess.check_output([python, "-c", IN_A_SHELL], text=True, cwd=tmp_path)
    assert "device='xpu:0'" in said
    assert said.splitlines()[-1] == "xpu True"

    program = build(tests) / "bin" / "ci-test"
    done = subprocess.run([program], cwd=kernel, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b[1-9]\d* passed", done.stdout)
    assert "skipped" not in done.stdout
    assert "`xpu` is the processor here" in done.stdout + done.stderr
    built = build(evaluate(f"{outputs}.redistributable.{json.dumps(STABLE)}.drvPath"))
    metadata = json.loads((built / "metadata.json").read_text())
    assert metadata["stand-ins"] == ["Intel's compiler library 2026.0"]
