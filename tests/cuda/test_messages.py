"""Messages about a unit: a mistake is reported once, and a launch of nothing is reported."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    VARIANT,
    build_object,
    cuda_kernel,
    read_one,
    with_capabilities,
)
from tests.evaluation import ROOT, read_log
from tests.tiny_kernel import FLAKE

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
def test_a_launch_of_nothing_is_told(tmp_path: Path, flags: str, ending: str) -> None:
    variant = read_one(
        cuda_kernel(tmp_path, {ADD_SOURCE: ADD + DISAGREED}, **{"cuda-flags": flags}).folder
    )
    item = variant.part(ADD_SOURCE, ending)
    build_object(item)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry["launches"] == ["shaped_kernel"]
    said = read_log(item.path)
    assert "warning: kernels are launched that have no device code" in said
    assert f"at     {ADD_SOURCE}\n" in said


def test_nothing_is_told_where_both_agree(tmp_path: Path) -> None:
    agreed = DISAGREED.replace("constexpr auto size", "constexpr int size")
    assert agreed != DISAGREED
    variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: ADD + agreed}).folder)
    item = variant.part(ADD_SOURCE, ".host.o")
    build_object(item)
    assert json.loads(Path(item.outputs["report"]).read_text()) == [
        {"unit": ADD_SOURCE, "part": "host", "headers": "none"}
    ]
    assert "warning" not in read_log(item.path)
