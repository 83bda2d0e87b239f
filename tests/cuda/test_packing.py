"""Packed code of all targets, and toolkits of another release than that of the Torch."""

import re
import struct
import subprocess
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    AHEAD,
    AHEAD_ROW,
    REGISTRIES,
    SCALE_SOURCE,
    CudaVariant,
    build_object,
    cuda_kernel,
    read_entry,
    read_manifest,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import describe, read_images, read_section, unpacked

CAPABILITIES = ("8.0", "9.0a", "12.1+PTX")


def packed_with(folder: Path, *flags: str) -> CudaVariant:
    text = "[" + ", ".join(f'"{flag}"' for flag in flags) + "]"
    build = {**with_capabilities(*CAPABILITIES), **({"cuda-flags": text} if flags else {})}
    return read_one(cuda_kernel(folder, **build).folder)


def read_object(variant: CudaVariant) -> bytes:
    return build_object(variant.part(ADD_SOURCE, ".fatbin.o")).read_bytes()


def without_comments(image: tuple[str, bytes]) -> tuple[str, bytes]:
    """Return code unchanged and the words of PTX, because packing drops the comments of PTX."""
    target, code = image
    if target.startswith("sm_"):
        return image
    return target, b" ".join(re.sub(rb"//.*", b"", code.rstrip(b"\0")).split())


def bare(made: bytes) -> list[tuple[str, bytes]]:
    return sorted(map(without_comments, unpacked(made)))


WAYS: dict[str, tuple[str, ...]] = {
    "default": (),
    "balance": ("-Xfatbin=-compress-all",),
    "mode": ("--compress-mode", "balance"),
    "plain": ("-no-compress",),
}


def test_unpacked_code_is_the_compiled_code_however_it_is_packed(tmp_path: Path) -> None:
    ways = {way: packed_with(tmp_path / way, *flags) for way, flags in WAYS.items()}
    passes = ways["default"].passes(ADD_SOURCE)
    compiled = [
        (f"sm_{name}", (build_object(item) / "cubin").read_bytes()) for name, item in passes.items()
    ]
    compiled.append(("compute_121", (build_object(passes["121"]) / "ptx").read_bytes()))
    made = {}
    for way, variant in ways.items():
        made[way] = read_object(variant)
        assert bare(made[way]) == sorted(map(without_comments, compiled))
        # Nothing is compiled again for another way.
        assert variant.unit(ADD_SOURCE)["device"]["whole"] is None
        assert variant.passes(ADD_SOURCE) == passes
        host = variant.part(ADD_SOURCE, ".host.o")
        assert host == ways["default"].part(ADD_SOURCE, ".host.o")
    assert all(image.whole > len(image.payload) for image in read_images(made["default"]))
    assert not any(image.whole for image in read_images(made["plain"]))
    sizes = [len(read_section(made[way])) for way in ("default", "plain")]
    assert sizes[0] < sizes[1] / 2


FAST = "--cicc-cmdline=-ftz=0 -prec_div=1 -prec_sqrt=1 -fmad=1 "


@pytest.mark.parametrize(
    ("flags", "made_of"),
    [
        ((), (FAST,)),
        # The driver compiles PTX with the recorded options.
        (
            ("-maxrregcount=64",),
            ("--cmdline= -maxrregcount=64 ", FAST.replace("=-ftz", "=-maxreg 64 -ftz")),
        ),
    ],
    ids=["plain", "registers"],
)
def test_targets_that_are_packed_one_by_one_are_as_if_packed_together(
    tmp_path: Path, flags: tuple[str, ...], made_of: tuple[str, ...]
) -> None:
    variant = packed_with(tmp_path / "kernel", *flags)
    gathered = variant.part(ADD_SOURCE, ".fatbin.o")
    made = read_object(variant)
    images = [
        f"--image3=kind={kind},sm={name},file={place}/{file}"
        for name, place in zip(("80", "90a", "121"), gathered.env["passes"].split())
        for kind, file in (("elf", "cubin"), ("ptx", "ptx"))
        if (Path(place) / file).exists()
    ]
    call = ["fatbinary", f"--create={tmp_path / 'one'}", "-64", gathered.env["packing"], *images]
    subprocess.run([*call, *made_of], env={"PATH": gathered.env["PATH"]}, check=True)
    assert read_section(made) == (tmp_path / "one").read_bytes()


def test_a_whole_unit_is_packed_as_well(tmp_path: Path) -> None:
    ways = [packed_with(tmp_path / w, "-x", "cu", *WAYS[w]) for w in ("default", "mode", "plain")]
    made = [build_object(each.part(ADD_SOURCE, ".o")).read_bytes() for each in ways]
    sizes = [len(read_section(each)) for each in made]
    assert sizes[0] < sizes[1] < sizes[2]
    assert bare(made[0]) == bare(made[1]) == bare(made[2])


# The kind of an entry that holds the code of several targets.
CONCATENATED = struct.pack("<HH", 0x100, 0x101)


def test_several_targets_are_packed_as_one_block(tmp_path: Path) -> None:
    made: list[bytes] = []
    for flags in ("[]", '["--concat"]'):
        folder = cuda_kernel(
            tmp_path / str(len(made)),
            **with_capabilities("8.0", "9.0", "10.7"),
            **{"cuda-flags": flags},
        ).folder
        variant = read_one(folder, AHEAD, arguments=AHEAD_ROW)
        assert variant.unit(ADD_SOURCE)["device"]["whole"] is None
        made.append(read_section(read_object(variant)))
    assert CONCATENATED not in made[0]
    assert CONCATENATED in made[1]
    assert len(made[1]) < len(made[0])


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
    warnings = read_entry(folder)["warnings"]
    assert "--concat, left out: CUDA 13.0 cannot pack code" in str(warnings)


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
