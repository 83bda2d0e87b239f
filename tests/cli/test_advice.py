"""The advice for what compilers and linkers say: the cause and the way out, or nothing."""

import json
from pathlib import Path

import pytest

from kernel_builder.nix.step_log import StepLog
from kernel_builder.variants.hints import find_advice
from kernel_builder.variants.make import describe_failures

DRV = f"/nix/store/{'0' * 32}-k-a.o.drv"
# A message of gcc, clang, nvcc, ptxas or ld, and words of its advice.
ADVICE = json.loads(Path(__file__).with_name("advice.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("said", ADVICE)
def test_the_advice_names_the_cause_and_the_way_out(said: str) -> None:
    want, fix = find_advice(said)
    assert ADVICE[said] in f"{want}\n{fix}"
    assert want
    assert fix


def test_what_is_unknown_has_no_advice() -> None:
    assert find_advice("a.cpp:1:1: error: no such thing") == ("", "")
    included = "a.cpp:1:1: note: x\nIn file included from /torch/infer_schema.h:9,\n"
    assert find_advice(included) == ("", "")
    (problem,) = describe_failures({DRV: ["a.cpp:1:1: error: no such thing"]})
    assert problem.fix == f"the whole log: nix-store --read-log {DRV}"
    assert "want " not in problem.render()


STABLE = {
    "fatal error: pybind11/pybind11.h: No such file or directory": "STABLE_TORCH_LIBRARY_EXPAND",
    "error: 'Generator' is not a member of 'torch::stable'": "TORCH_FEATURE_VERSION",
    "error: 'at' has not been declared": "stable-abi-report",
    "error: 'StableLibrary' does not name a type": "<torch/csrc/stable/library.h>",
}


@pytest.mark.parametrize("said", STABLE)
def test_a_stable_kernel_gets_advice_for_the_stable_abi(said: str) -> None:
    said, flags = f"a.cpp:1:10: {said}", "-O2\n-DTORCH_TARGET_VERSION=0x020a000000000000"
    _, fix = find_advice(said, flags)
    assert any(STABLE[each] in fix for each in STABLE if each in said)
    assert "torch/all.h" not in fix
    assert find_advice(said)[1] != fix


def test_headers_of_torch_need_their_standard() -> None:
    said = (
        "/nix/store/x-torch/include/c10/util/a.h:65:22: error: 'is_enum_v' is not a member of 'std'"
    )
    want, fix = find_advice(said, "-O2\n-std=c++20\n-fopenmp\n-std=c++11")
    assert "C++17" in want
    assert "delete `-std=…`" in fix
    assert find_advice(said, "-std=c++20")[1] != fix


def test_a_flag_that_nvcc_passed_to_gcc_is_one_of_cuda_flags() -> None:
    said = (
        "g++: error: unrecognized command-line option '--use_fast_mth'; "
        "did you mean '-fno-fast-math'?"
    )
    _, fix = find_advice(said, "-O3\n-forward-unknown-to-host-compiler\n--use_fast_mth")
    assert fix == 'in `cuda-flags` of build.toml, correct "--use_fast_mth" or delete it'
    assert "cxx-flags" in find_advice(said)[1]


def test_two_errors_have_the_advice_of_both_in_their_order() -> None:
    said = [
        "a.cpp:6:3: error: cannot convert 'at::DeprecatedTypeProperties' to 'c10::ScalarType'",
        "a.cpp:5:3: error: 'AT_CHECK' was not declared in this scope",
        "a.cpp:8:3: error: 'AT_CHECK' was not declared in this scope",
    ]
    _, fix = find_advice("\n".join(said))
    first, second = fix.split("\n")
    assert "x.scalar_type()" in first
    assert "TORCH_CHECK" in second


def show(*lines: str) -> list[str]:
    log = StepLog()
    for line in lines:
        log.add(line)
    return log.show_cause()


def test_only_context_stands_before_the_first_error() -> None:
    error = "src/a.cu:2:10: fatal error: nvml.h: No such file or directory"
    lean = "src/a.cu, sm_90: does not compile with lean headers; compiled with Torch's own"
    assert show(lean, error) == [error]
    assert show("      |                              ^~~~", error) == [error]
    for context in ("a.cpp: In function 'int f()':", "a.h:9:3:   required from here"):
        assert show(context, error) == [context, error]
