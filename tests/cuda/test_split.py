"""A unit compiled in parts: the code is that of one nvcc call, and a mistake is reported once."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    VARIANT,
    build_object,
    cuda_kernel,
    read_one,
    run_step,
    with_capabilities,
)
from tests.cuda.fatbin import describe, unpacked
from tests.derivation import Derivation
from tests.evaluation import ROOT, NixError, build, call, read_log, realise
from tests.tiny_kernel import FLAKE

CCCL = """\
#include "numbers.h"
#include <cub/block/block_reduce.cuh>
namespace {
__global__ void sum_kernel(float *numbers) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename Reduce::TempStorage storage;
  float const sum = Reduce(storage).Sum(numbers[threadIdx.x]);
  if (threadIdx.x == 0) numbers[0] = sum;
}
}  // namespace
bool ready() { return true; }
cudaError_t add(float *numbers, float, cudaStream_t stream) {
  sum_kernel<<<1, 128, 0, stream>>>(numbers);
  return cudaGetLastError();
}
"""


def compile_in_one_call(one: Derivation, targets: list[str], folder: Path) -> Path:
    """Call nvcc with the inputs of the passes for all targets at once; return the folder."""
    folder.mkdir(parents=True)
    for line in one.env["files"].splitlines():
        path, file = line.split(" ", 1)
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).symlink_to(path)
    # nvcc reads the identity of the unit from this file.
    source = one.env["source"]
    (folder / f"{Path(source).stem}.module_id").write_text(one.env["moduleId"])
    argv = [
        "nvcc",
        "--keep",
        "--dryrun",
        "-c",
        source,
        "-o",
        "unit.o",
        *one.env["flags"].split("\n"),
    ]
    for target in targets:
        number, _, ptx = target.partition("+")
        code = f"[sm_{number},compute_{number}]" if ptx else f"sm_{number}"
        argv += ["-gencode", f"arch=compute_{number},code={code}"]
    environment = {"PATH": one.env["PATH"]}
    listed = call(*argv, cwd=folder, env=environment).stderr
    steps = [line[3:] for line in listed.splitlines() if line.startswith("#$ ")]
    script = "\n".join(map(as_shell, steps))
    # CCCL puts the list of targets into names, and a unit that cannot read it has a shorter one.
    lists = re.compile(r"-D__CUDA_ARCH_LIST__=[0-9,]+")
    script = lists.sub(f"-D__CUDA_ARCH_LIST__={one.env['archList']}", script)
    call("sh", "-e", "-c", script, cwd=folder, env=environment)
    return folder


def as_shell(step: str) -> str:
    """Return a line of nvcc's listing for the shell, without the options that rename the module."""
    assignment = re.fullmatch(r"(\w+)=(.*)", step)
    if assignment:
        return f'export {assignment[1]}="{assignment[2]}"'
    return step.replace("--gen_module_id_file", "")


def test_the_parts_are_what_one_call_of_nvcc_makes(tmp_path: Path) -> None:
    capabilities = ["8.0", "9.0", "9.0a", "12.0f", "12.1+PTX"]
    kernel = cuda_kernel(
        tmp_path / "kernel", {ADD_SOURCE: CCCL}, **with_capabilities(*capabilities)
    )
    variant = read_one(kernel.folder)
    split = unpacked(build_object(variant.part(ADD_SOURCE, ".fatbin.o")).read_bytes())

    (one, *_) = variant.passes(ADD_SOURCE).values()
    targets = [name.replace(".", "") for name in capabilities]
    folder = compile_in_one_call(one, targets, tmp_path / "one-call")
    whole = unpacked((folder / "unit.o").read_bytes())

    assert [target for target, _ in split] == [target for target, _ in whole]
    assert len(split) == len(capabilities) + 1
    # Machine code and PTX are the same to the byte.
    assert split == whole


ONLY_OLD = """\
#include "numbers.h"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900
__global__ void only_old_kernel(float *numbers) { numbers[0] = 1; }
#endif
"""


# nvcc lets the host pass see code that passes for targets do not see.
OF_ONE_PASS = """\
#include "numbers.h"
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ {condition}
__global__ void own_kernel(float *numbers) {{ numbers[0] = 1; }}
#endif
#ifndef __CUDA_ARCH__
void launch_own_kernel(float *numbers) {{ own_kernel<<<1, 1>>>(numbers); }}
#endif
"""


@pytest.mark.parametrize(("condition", "lacking"), [("< 900", "sm_90"), (">= 900", "sm_80")])
def test_a_kernel_of_one_pass_is_a_warning_and_known_to_the_host(
    tmp_path: Path, condition: str, lacking: str
) -> None:
    text = OF_ONE_PASS.format(condition=condition)
    variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: text + ADD}).folder)
    gathered = variant.part(ADD_SOURCE, ".fatbin.o")
    build_object(gathered)
    (finding,) = json.loads(Path(gathered.outputs["findings"], "findings.json").read_text())
    assert finding["headline"] == "the passes of a unit do not fit together"
    (problem,) = finding["problems"]
    assert problem["at"].startswith(f"numbers/add.cu for {lacking},")
    assert problem["found"].startswith("without _Z10own_kernelPf;")
    with build_object(variant.part(ADD_SOURCE, ".host.o")).open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".symtab")
        assert isinstance(symbols, SymbolTableSection)
        undefined = {s.name for s in symbols.iter_symbols() if s["st_shndx"] == "SHN_UNDEF"}
    assert undefined
    assert not [name for name in undefined if "own_kernel" in name]


def test_passes_with_different_headers_are_compiled_with_the_same(tmp_path: Path) -> None:
    text = "#include <torch/headeronly/macros/Macros.h>\n" + ONLY_OLD + ADD
    variant = read_one(cuda_kernel(tmp_path / "kernel", {ADD_SOURCE: text}).folder)
    first, second = (variant.passes(ADD_SOURCE)[name] for name in ("80", "90"))
    assert (build_object(first) / "headers").read_text() == "lean"
    other = tmp_path / "other"
    shutil.copytree(build_object(second), other)
    for fact in ("headers", "set"):
        (other / fact).chmod(0o644)
        (other / fact).write_text("full")
    gathered = variant.part(ADD_SOURCE, ".fatbin.o")
    passes = {"passes": f"{build_object(first)} {other}"}
    made = run_step(gathered, tmp_path / "step", **passes)
    assert describe(made.read_bytes()) == ["sm_80", "sm_90"]
    report = json.loads((tmp_path / "step" / "report").read_text())
    assert {each["headers"] for each in report} == {"full"}
    assert {each["why"] for each in report} == {"with lean ones the targets have different kernels"}


def test_targets_are_gathered_beside_the_host_part_if_that_has_no_say(tmp_path: Path) -> None:
    """The host part may find that lean headers lost a kernel."""
    lean = {ADD_SOURCE: f"#include <torch/all.h>\n{ADD}"}
    kernels = cuda_kernel(tmp_path / "plain"), cuda_kernel(tmp_path / "lean", lean)
    gathered = (read_one(kernel.folder).part(ADD_SOURCE, ".fatbin.o") for kernel in kernels)
    waits = [any(path.endswith(".host.o.drv") for path in each.inputs) for each in gathered]
    assert waits == [False, True]


def test_no_shell_of_the_machine_is_needed(tmp_path: Path) -> None:
    text = f"// {tmp_path}\n{ADD}"
    variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: text}, **with_capabilities("8.0")).folder)
    for ending in (".fatbin.o", ".host.o"):
        drv = variant.part(ADD_SOURCE, ending).path
        realise("--option", "sandbox-paths", "", drv)


def test_relocatable_device_code_is_linked_and_loads(tmp_path: Path) -> None:
    own = "__device__ float sum(float a, float b) { return a + b; }"
    assert own in ADD
    add = f"{ADD.replace(own, own.replace('{ return a + b; }', ';'))}\nnamespace {{ {own} }}\n"
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: add}, **{"cuda-flags": '["-rdc=true"]'})
    built = build(read_one(kernel.folder).drv)
    (extension,) = built.glob("*.so")
    assert describe(extension.read_bytes()) == ["sm_80", "sm_90"]


# The assembler fails on another line for each target.
WRONG = """b += a;
#if __CUDA_ARCH__ >= 900
  asm volatile("mov.f32 %0, %0;" : "+f"(b));
#endif
  asm volatile("nonsense.f32 %0;" :: "f"(b));
  return b;
"""


def test_a_mistake_is_told_once(tmp_path: Path) -> None:
    add = ADD.replace("return a + b;", WRONG)
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: add}, **with_capabilities("8.0", "9.0a"))
    kernel.write("flake.nix", FLAKE)
    program = ROOT / "python" / "bin" / "kernel-builder"
    argv = [str(program), "build", str(tmp_path), "--variant", VARIANT]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("Not a name of any known instruction") == 1, done.stderr
    steps = [f"tiny-cu130-numbers-add.cu.{target}" for target in ("sm_80", "sm_90a")]
    assert all(f" {step}\n" in done.stderr for step in steps), done.stderr
    assert all(step in done.stdout for step in steps), done.stdout


# gcc 12 does not convert the argument of `Int` to an int; nvcc does. So the host launches another
# instantiation than the device code has, see backends/cuda/dependencies.json.
DISAGREED = """
template <auto value> struct Constant {};
template <int value> using Int = Constant<value>;
template <class T> struct Shape {};
template <class T> struct Vector { static constexpr unsigned size = 16; };
template <class T> struct Config {
  static constexpr auto size = Vector<T>::size;
  using type = Shape<Int<size>>;
};
template <class T> __global__ void shaped_kernel(float *numbers) { numbers[0] = 1; }
void shaped(float *numbers) { shaped_kernel<typename Config<int>::type><<<1, 1>>>(numbers); }
"""


@pytest.mark.parametrize(
    ("flags", "ending"), [("[]", ".host.o"), ('["-x", "cu"]', ".o")], ids=["apart", "whole"]
)
def test_a_launch_of_nothing_is_refused(tmp_path: Path, flags: str, ending: str) -> None:
    variant = read_one(
        cuda_kernel(tmp_path, {ADD_SOURCE: ADD + DISAGREED}, **{"cuda-flags": flags}).folder
    )
    item = variant.part(ADD_SOURCE, ending)
    with pytest.raises(NixError):
        build_object(item)
    said = read_log(item.path)
    assert f"{ADD_SOURCE}: error: launches of shaped_kernel with" in said
