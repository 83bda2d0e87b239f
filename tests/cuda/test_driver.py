"""Kernels that call CUDA's driver, which build machines do not have."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, cuda_kernel, read_one, with_capabilities
from tests.evaluation import build

TENSOR_MAP = ADD.replace(
    '#include "numbers.h"\n', '#include "numbers.h"\n#include <cuda.h>\n'
).replace(
    "bool ready() { return true; }",
    """\
bool ready() {
  CUtensorMap map;
  cuuint64_t const sizes[2] = {64, 64}, strides[1] = {256};
  cuuint32_t const box[2] = {8, 8}, steps[2] = {1, 1};
  static float numbers[64 * 64];
  return cuTensorMapEncodeTiled(
             &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, numbers, sizes, strides, box, steps,
             CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}""",
)


@pytest.mark.parametrize(("text", "is_named"), [(ADD, False), (TENSOR_MAP, True)])
def test_the_driver_is_named_where_it_is_called(tmp_path: Path, text: str, is_named: bool) -> None:
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: text}, **with_capabilities("9.0"))
    # The build includes the checks of symbols, libraries and import.
    variant = build(read_one(kernel.folder).drv)
    (extension,) = variant.glob("*.so")
    assert (b"libcuda.so.1" in extension.read_bytes()) is is_named
