"""Sharing of CUDA units by variants and after edits; nothing is built."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING_SOURCE,
    SCALE_SOURCE,
    CudaVariant,
    cuda_kernel,
    read_cuda,
    read_one,
    with_capabilities,
)
from tests.derivation import read_derivation

LIBRARIES = {"cublas", "cufft", "curand", "cusolver", "cusparse", "nvjitlink", "nvrtc", "nvtx"}


def compiles_of(variant: CudaVariant, source: str) -> frozenset[str]:
    """Return the derivations that compile a unit."""
    if source.endswith(".cu"):
        passes = [item.path for item in variant.passes(source).values()]
        return frozenset([*passes, variant.part(source, ".host.o").path])
    return frozenset([variant.part(source, ".o").path])


def test_units_without_torch_are_compiled_once_for_each_toolkit(tmp_path: Path) -> None:
    variants = read_cuda(cuda_kernel(tmp_path).folder)
    assert len(variants) == 5
    toolkits = {variant.plan["toolkit"] for variant in variants.values()}
    units = {
        source: {compiles_of(variant, source) for variant in variants.values()}
        for source in (ADD_SOURCE, SCALE_SOURCE, BINDING_SOURCE)
    }
    assert len(units[BINDING_SOURCE]) == 5
    assert len(units[ADD_SOURCE]) == len(units[SCALE_SOURCE]) == len(toolkits)


def changes(folder: Path, before: str, after: str, **files: str) -> dict[str, set[str]]:
    """Return the passes of `add.cu` that differ between two lists of capabilities."""
    variants = [
        read_one(cuda_kernel(folder / str(i), files, **with_capabilities(*list_.split())).folder)
        for i, list_ in enumerate((before, after))
    ]
    parts = [
        {
            **{arch: item.path for arch, item in variant.passes(ADD_SOURCE).items()},
            "host": variant.part(ADD_SOURCE, ".host.o").path,
        }
        for variant in variants
    ]
    return {
        "new": parts[1].keys() - parts[0].keys(),
        "changed": {
            name for name in parts[0].keys() & parts[1].keys() if parts[0][name] != parts[1][name]
        },
    }


def test_one_more_capability_is_one_more_pass(tmp_path: Path) -> None:
    found = changes(tmp_path, "8.0 9.0", "8.0 9.0 12.0+PTX")
    assert found == {"new": {"120"}, "changed": set()}


def test_the_host_waits_for_all_passes_that_may_have_kernels_of_their_own(tmp_path: Path) -> None:
    text = f"#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n#endif\n{ADD}"
    found = changes(tmp_path, "8.0 9.0", "8.0 9.0 12.0", **{ADD_SOURCE: text})
    assert found == {"new": {"120"}, "changed": {"host"}}


def test_an_older_capability_leaves_the_other_passes_alone(tmp_path: Path) -> None:
    found = changes(tmp_path, "8.0 9.0", "7.5 8.0 9.0")
    # The host pass takes its list of kernels from the first pass, which has changed.
    assert found == {"new": {"75"}, "changed": {"host"}}


@pytest.mark.parametrize(
    "text",
    [
        "#include <cub/block/block_reduce.cuh>\n",
        "#include <ATen/native/cuda/Loops.cuh>\n",
        "int list[] = {__CUDA_ARCH_LIST__};\n",
        "#include <nobody_knows_what_is_in_here.h>\n",
        "#define HEADER <cub/cub.cuh>\n#include HEADER\n",
    ],
)
def test_code_that_may_see_the_list_is_compiled_again(tmp_path: Path, text: str) -> None:
    found = changes(tmp_path, "8.0 9.0", "8.0 9.0 12.0", **{ADD_SOURCE: text + ADD})
    assert found == {"new": {"120"}, "changed": {"80", "90", "host"}}


def test_a_unit_has_the_math_libraries_that_it_includes(tmp_path: Path) -> None:
    files = {ADD_SOURCE: "#include <cublas_v2.h>\n" + ADD}
    variant = read_one(cuda_kernel(tmp_path, files).folder)
    found: dict[str, set[tuple[str, frozenset[str]]]] = {ADD_SOURCE: set(), SCALE_SOURCE: set()}
    for source, libraries in found.items():
        for drv in compiles_of(variant, source):
            inputs = [(read_derivation(p).name, o) for p, o in read_derivation(drv).inputs.items()]
            libraries |= {each for each in inputs if each[0].split("-")[0] in LIBRARIES}
            names = {name for name, _ in inputs}
            assert not [name for name in names if name.startswith("torch-")]
            # The compiler is found, so the search is not empty.
            assert "cuda-13.0" in names
    assert found == {
        ADD_SOURCE: {("cublas-cuda-13.0", frozenset({"dev"}))},
        SCALE_SOURCE: set(),
    }
