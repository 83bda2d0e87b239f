"""Line information has names that are the same on every machine."""

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
