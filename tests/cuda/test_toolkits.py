"""Toolkits that differ from that of the Torch: a newer one, and ptxas of another release."""

from pathlib import Path

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    AHEAD,
    AHEAD_ROW,
    REGISTRIES,
    SCALE_SOURCE,
    VARIANT,
    build_object,
    cuda_kernel,
    read_manifest,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import describe, read_images

TILE = """\
#include "numbers.h"
#include <cuda_tile.h>
__global__ void scale_kernel(float *numbers, float factor) { numbers[threadIdx.x] *= factor; }
__tile_global__ void tile_kernel(float *numbers) {}
cudaError_t scale(float *numbers, float factor, cudaStream_t stream) {
  scale_kernel<<<1, 32, 0, stream>>>(numbers, factor);
  tile_kernel<<<1, 1, 0, stream>>>(numbers);
  return cudaGetLastError();
}
"""


def test_targets_of_rubin(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("10.7", "10.7a", "10.7f"))
    variant = read_one(kernel.folder, AHEAD, arguments=AHEAD_ROW)
    made = build_object(variant.part(ADD_SOURCE, ".fatbin.o")).read_bytes()
    assert describe(made) == ["sm_107", "sm_107a", "sm_107f"]


def test_code_for_cuda_tile_is_a_second_fat_binary(tmp_path: Path) -> None:
    build = {"cuda-flags": '["--enable-tile", "-std=c++20"]', **with_capabilities("9.0", "10.7")}
    kernel = cuda_kernel(tmp_path, {SCALE_SOURCE: TILE}, **build)
    variant = read_one(kernel.folder, AHEAD, arguments=AHEAD_ROW)
    assert "--enable-tile" in variant.unit(SCALE_SOURCE)["device"]["whole"]
    made = build_object(variant.part(SCALE_SOURCE, ".o")).read_bytes()
    targets = [image.target for image in read_images(made)]
    assert sorted(targets) == ["sm_107", "sm_107", "sm_90", "sm_90"]


def test_an_older_toolkit_cannot_concatenate(tmp_path: Path) -> None:
    folder = cuda_kernel(tmp_path, **{"cuda-flags": '["--concat"]'}).folder
    assert read_one(folder).unit(ADD_SOURCE)["device"]["packing"] == ["--compress-mode=size"]
    (listed,) = [v for v in read_manifest(folder)["variants"] if v["name"] == VARIANT]
    assert "--concat, left out: CUDA 13.0 cannot pack code" in str(listed["warnings"])


def wanting(release: str) -> str:
    """Return the argument with which every row of CUDA takes these programs from a release."""
    row = f'row: row // (if row ? cudaVersion then {{ ptxasVersion = "{release}"; }} else {{ }})'
    return f"torchVersions = defaults: map ({row}) defaults;"


def test_code_is_made_by_the_other_release(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("9.0"))
    ways = {"13.0": REGISTRIES, "13.2": wanting("13.2")}
    for release, arguments in ways.items():
        (one,) = read_one(kernel.folder, arguments=arguments).passes(ADD_SOURCE).values()
        code = (build_object(one) / "cubin").read_bytes()
        assert f"release {release}".encode() in code


def test_its_sources_are_counted(tmp_path: Path) -> None:
    wheels = 'builtins.filter (row: row.cudaVersion or null == "13.0") defaults'
    others = wanting("12.9").replace("defaults;", f"({wheels});")
    for variant in read_manifest(cuda_kernel(tmp_path).folder, others)["variants"]:
        assert "developer.download.nvidia.com" in variant["hosts"]
