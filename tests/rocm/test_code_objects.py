"""The code in the binaries of a kernel for AMD GPUs that Debian's HIP compiles."""

from pathlib import Path

import pytest

from tests.evaluation import SYSTEM, NixError, build, fetch, realise
from tests.rocm.fatbin import CodeObject, bundles
from tests.rocm.rocm_kernel import (
    BUILD,
    SCALE,
    SCALE_SOURCE,
    SHIFT_SOURCE,
    VARIANT,
    RocmVariant,
    read_rocm,
    rocm_kernel,
)
from tests.skipping import skip

KERNELS = {SCALE_SOURCE: "scale_kernel", SHIFT_SOURCE: "shift_kernel"}
ARCHS = ["gfx90a", "gfx942"]


def fetched(variant: RocmVariant) -> RocmVariant:
    """Skip a test if its compiler is gone, because Debian's experimental keeps no old files."""
    try:
        fetch(variant.drv)
    except NixError as error:
        skip(f"the sources of Debian's HIP cannot be had: {error}", installable=False)
    return variant


def read_bundle(file: Path) -> list[CodeObject]:
    """Return the entries of the one bundle of an object."""
    (bundle,) = bundles(file.read_bytes())
    return bundle


def test_a_binary_has_the_code_that_was_asked_for(tmp_path: Path) -> None:
    # The build checks its ABI.
    variant = fetched(read_rocm(rocm_kernel(tmp_path).folder))
    (binary,) = build(variant.drv).rglob("*.so")
    found = list(bundles(binary.read_bytes()))
    assert [[code.target for code in bundle] for bundle in found] == [ARCHS, ARCHS]
    for bundle, name in zip(found, KERNELS.values()):
        for code in bundle:
            assert code.machine == code.target
            (kernel,) = code.kernels
            assert name in kernel


@pytest.mark.parametrize("source", [SCALE_SOURCE, SHIFT_SOURCE])
def test_parts_have_the_code_that_one_call_gives(tmp_path: Path, source: str) -> None:
    parts = fetched(read_rocm(rocm_kernel(tmp_path / "parts").folder))
    # The flag changes no code, but keeps the unit whole.
    tied = {"hip-flags": '["-fno-offload-lto"]'}
    whole = read_rocm(rocm_kernel(tmp_path / "whole", **tied).folder)
    bundled = build(parts.part(source, ".fatbin.o").path)
    one = build(whole.part(source, ".o").path)
    assert read_bundle(bundled) == read_bundle(one)


MATH = """\
#include <hip/hip_runtime.h>
#include <hipblas/hipblas.h>
#include <hipblaslt/hipblaslt.h>
#include <hipcub/hipcub.hpp>
#include <hiprand/hiprand_kernel.h>
#include <hipsolver/hipsolver.h>
#include <hipsparse/hipsparse.h>
#include <rocprim/rocprim.hpp>
#include <thrust/device_ptr.h>
#include <torch/csrc/stable/tensor.h>
__global__ void shift_kernel(float *numbers, float addend) {
  using Reduce = hipcub::BlockReduce<float, 256>;
  __shared__ typename Reduce::TempStorage storage;
  float const sum = Reduce(storage).Sum(numbers[threadIdx.x]);
  if (threadIdx.x == 0) numbers[0] = sum + addend;
}
void shift(torch::stable::Tensor numbers, double addend) {
  hipblasHandle_t handle;
  if (hipblasCreate(&handle) == HIPBLAS_STATUS_SUCCESS) hipblasDestroy(handle);
  shift_kernel<<<1, 256>>>(numbers.mutable_data_ptr<float>(), static_cast<float>(addend));
}
"""


def test_headers_of_math_libraries(tmp_path: Path) -> None:
    variant = fetched(read_rocm(rocm_kernel(tmp_path, {SHIFT_SOURCE: MATH}).folder))
    unit = variant.unit(SHIFT_SOURCE)
    assert {"hipblas", "hiprand", "hipsolver", "hipsparse", "rocprim"} <= {*unit["packages"]}
    bundled = build(variant.part(SHIFT_SOURCE, ".fatbin.o").path)
    assert [code.target for code in read_bundle(bundled)] == ARCHS
    for code in read_bundle(bundled):
        assert any("shift_kernel" in name for name in code.kernels)
    realise(variant.part(SHIFT_SOURCE, ".host.o").path)


# Debian has hipBLASLt for 7.x only, and this Torch is on Torch's own server only.
EARLIER = (
    MATH.replace(
        "#include <hipblaslt/hipblaslt.h>",
        "#if HIP_VERSION_MAJOR != 6 || HIP_VERSION_MINOR != 4\n#error another release\n#endif",
    )
    .replace("#include <torch/csrc/stable/tensor.h>\n", "")
    .replace("torch::stable::Tensor numbers", "float *numbers")
    .replace("numbers.mutable_data_ptr<float>()", "numbers")
)


def test_an_earlier_release_compiles(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path, {SHIFT_SOURCE: EARLIER})
    kernel.write(
        "build.toml",
        (kernel.folder / "build.toml").read_text().replace('stable-abi = "2.11"\n', ""),
    )
    earlier = read_rocm(kernel.folder, f"torch29-cxx11-rocm64-{SYSTEM}")
    parts = [earlier.part(SHIFT_SOURCE, ending).path for ending in (".fatbin.o", ".host.o")]
    bundled, host = map(build, parts)
    assert [code.machine for code in read_bundle(bundled)] == ARCHS
    assert b"hipLaunchKernel" in host.read_bytes()


def test_relocatable_device_code_is_refused(tmp_path: Path) -> None:
    variant = fetched(read_rocm(rocm_kernel(tmp_path, **{"hip-flags": '["-fgpu-rdc"]'}).folder))
    with pytest.raises(NixError, match=r"shift\.hip: no relocatable device code"):
        realise(variant.part(SHIFT_SOURCE, ".o").path)


def test_headers_of_torch_for_hip_compile(tmp_path: Path) -> None:
    # The headers are translated from a Torch for CUDA, so there are no libraries to link with.
    unstable = (
        SCALE.replace("torch::stable::Tensor", "at::Tensor")
        .replace("stream_of(numbers)", "c10::cuda::getCurrentCUDAStream()")
        .replace("STD_TORCH_CHECK", "TORCH_CHECK")
    )
    header = "#pragma once\n#include <ATen/ATen.h>\n#include <c10/cuda/CUDAStream.h>\n"
    kernel = rocm_kernel(tmp_path, {SCALE_SOURCE: unstable, "numbers/numbers_cuda.h": header})
    kernel.write("build.toml", BUILD.replace('stable-abi = "2.11"\n', ""))
    variant = fetched(read_rocm(kernel.folder, VARIANT))
    host = build(variant.part(SCALE_SOURCE, ".host.o").path)
    assert b"hipLaunchKernel" in host.read_bytes()
    code = build(variant.passes(SCALE_SOURCE)["gfx942"].path)
    assert CodeObject("gfx942", code.read_bytes()).machine == "gfx942"
