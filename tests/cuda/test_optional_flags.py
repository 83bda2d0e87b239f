"""Flags for lambdas change no byte of units without them; line information names no machine."""

import json
import re
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    INSTEAD,
    VARIANT,
    CudaVariant,
    build_object,
    cuda_kernel,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import unpacked
from tests.derivation import Derivation
from tests.evaluation import read_log

FLAG = "--expt-extended-lambda"
LAMBDA = """\
#include "numbers.h"
#define ON_THE_GPU __device__
template <typename Function> __global__ void each(float *numbers, Function function) {
  numbers[threadIdx.x] = function(numbers[threadIdx.x]);
}
bool ready() { return true; }
cudaError_t add(float *numbers, float addend, cudaStream_t stream) {
  each<<<1, 32, 0, stream>>>(numbers, [=] ON_THE_GPU (float number) { return number + addend; });
  return cudaGetLastError();
}
"""
# Only nvcc's own include of <functional> declares it.
WITHOUT_INCLUDE = ADD.replace("return a + b;", "return std::plus<float>()(a, b);")


def read_add(folder: Path, text: str, name: str = VARIANT, **build: str) -> CudaVariant:
    """Return a variant with this text as its unit."""
    return read_one(cuda_kernel(folder, {ADD_SOURCE: text}, **build).folder, name)


def parts_of(variant: CudaVariant) -> list[Derivation]:
    """Return the steps that compile the unit."""
    return [*variant.passes(ADD_SOURCE).values(), variant.part(ADD_SOURCE, ".host.o")]


@pytest.mark.parametrize("name", [VARIANT, INSTEAD])
def test_the_bytes_are_those_with_the_flag(name: str, tmp_path: Path) -> None:
    without = read_add(tmp_path / "without", ADD, name)
    with_flag = read_add(tmp_path / "with", ADD, name, **{"cuda-flags": json.dumps([FLAG])})
    for one, other in zip(parts_of(without), parts_of(with_flag), strict=True):
        assert FLAG not in one.env["flags"].split("\n")
        assert FLAG in other.env["flags"].split("\n")
        assert one.env["optionalFlags"] == FLAG
        assert "optionalFlags" not in other.env
    for step in parts_of(without):
        build_object(step)
    for part in (".host.o", ".fatbin.o"):
        one, other = (each.part(ADD_SOURCE, part) for each in (without, with_flag))
        assert build_object(one).read_bytes() == build_object(other).read_bytes()


@pytest.mark.parametrize("name", [VARIANT, INSTEAD])
@pytest.mark.parametrize("text", [LAMBDA, WITHOUT_INCLUDE], ids=["lambda", "functional"])
def test_a_unit_that_needs_the_flag_gets_it(text: str, name: str, tmp_path: Path) -> None:
    variant = read_add(tmp_path, text, name)
    for step in parts_of(variant):
        assert step.env["optionalFlags"] == FLAG
        build_object(step)
        assert "error" not in read_log(step.path)


@pytest.mark.parametrize(
    "line",
    [
        "auto f = [] __device__ (int i) { return i; };",
        "#ifdef __CUDACC_EXTENDED_LAMBDA__\n#endif",
        "#include <cuda/std/array>",
        "#include <torch/headeronly/macros/Macros.h>",
        "#define HEADER <numbers.h>\n#include HEADER",
    ],
)
def test_a_unit_that_may_depend_on_the_flag_has_it(line: str, tmp_path: Path) -> None:
    variant = read_add(tmp_path, f"{ADD}\n{line}\n")
    unit = variant.unit(ADD_SOURCE)
    assert FLAG in unit["flags"]
    assert unit["optionalFlags"] == []


# Headers of the toolkit have lines, too.
HALF = "#include <cuda_fp16.h>\n" + ADD.replace(
    "return a + b;", "return __half2float(__hadd(__float2half(a), __float2half(b)));"
)
PLACE = re.compile(rb"/nix/store/|/build/|/nix-build-")


def with_flags(folder: Path, *flags: str) -> CudaVariant:
    text = "[" + ", ".join(f'"{flag}"' for flag in (*flags, "-g")) + "]"
    kernel = cuda_kernel(
        folder, {ADD_SOURCE: HALF}, **with_capabilities("9.0+PTX"), **{"cuda-flags": text}
    )
    return read_one(kernel.folder)


def check_places(made: bytes, file: bytes) -> None:
    assert file in made
    assert b"cuda/include" in made
    assert not PLACE.search(made)


@pytest.mark.parametrize("flags", [(), ("-x", "cu")], ids=["apart", "whole"])
def test_lines_have_no_place_of_the_machine(tmp_path: Path, flags: tuple[str, ...]) -> None:
    variant = with_flags(tmp_path / "kernel", "-lineinfo", *flags)
    device = build_object(variant.part(ADD_SOURCE, ".o" if flags else ".fatbin.o")).read_bytes()
    check_places(b"".join(code for _target, code in unpacked(device)), b"./numbers")
    if not flags:
        host = build_object(variant.part(ADD_SOURCE, ".host.o")).read_bytes()
        check_places(host, b"numbers/add.cu")
