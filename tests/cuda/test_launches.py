"""A build fails if a launched kernel has no device code; nvcc alone does not report it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, build_object, cuda_kernel, read_one
from tests.evaluation import read_log

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
