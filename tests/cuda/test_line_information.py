"""Line information has names that are the same on every machine."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    CudaVariant,
    build_object,
    cuda_kernel,
    read_one,
    with_capabilities,
)
from tests.cuda.fatbin import unpacked

# Headers of the toolkit have lines, too.
HALF = "#include <cuda_fp16.h>\n" + ADD.replace(
    "return a + b;", "return __half2float(__hadd(__float2half(a), __float2half(b)));"
)
PLACE = re.compile(rb"/nix/store/|/build/|/nix-build-")


def with_flags(folder: Path, *flags: str) -> CudaVariant:
    text = "[" + ", ".join(f'"{flag}"' for flag in (*flags, "-g")) + "]"
    kernel = cuda_kernel(
        folder,
        {ADD_SOURCE: HALF},
        **with_capabilities("9.0+PTX"),
        **{"cuda-flags": text},
    )
    return read_one(kernel.folder)


@pytest.mark.parametrize("flags", [("-lineinfo",), ("-lineinfo", "-x", "cu")])
def test_of_device_code(tmp_path: Path, flags: tuple[str, ...]) -> None:
    variant = with_flags(tmp_path / "kernel", *flags)
    ending = ".fatbin.o" if len(flags) == 1 else ".o"
    made = build_object(variant.part(ADD_SOURCE, ending)).read_bytes()
    code = b"".join(code for _target, code in unpacked(made))
    assert b"./numbers" in code
    assert b"cuda/include" in code
    assert not PLACE.search(code)


def test_of_the_host_s_part(tmp_path: Path) -> None:
    variant = with_flags(tmp_path / "kernel", "-lineinfo")
    made = build_object(variant.part(ADD_SOURCE, ".host.o")).read_bytes()
    assert b"numbers/add.cu" in made
    assert b"cuda/include" in made
    assert not PLACE.search(made)
