"""Sharing of CUDA units by variants, builds for one capability and edits; nothing is built."""

from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING_SOURCE,
    SCALE_SOURCE,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_cuda,
    read_one,
    with_capabilities,
)
from tests.derivation import named, read_derivation

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


# A text before the unit, two lists of capabilities, the new pass, and steps that change.
CHANGES = [
    ("", "8.0 9.0", "8.0 9.0 12.0+PTX", "120", set()),
    # The host waits for all passes that may have kernels of their own.
    (
        "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900\n#endif\n",
        "8.0 9.0",
        "8.0 9.0 12.0",
        "120",
        {"host"},
    ),
    # The host pass takes its list of kernels from the first pass, which has changed.
    ("", "8.0 9.0", "7.5 8.0 9.0", "75", {"host"}),
    # Code that may see the list of capabilities is compiled again.
    *(
        (text, "8.0 9.0", "8.0 9.0 12.0", "120", {"80", "90", "host"})
        for text in (
            "#include <cub/block/block_reduce.cuh>\n",
            "#include <ATen/native/cuda/Loops.cuh>\n",
            "int list[] = {__CUDA_ARCH_LIST__};\n",
            "#include <nobody_knows_what_is_in_here.h>\n",
            "#define HEADER <cub/cub.cuh>\n#include HEADER\n",
        )
    ),
]


@pytest.mark.parametrize(("text", "before", "after", "new", "changed"), CHANGES)
def test_another_capability(
    tmp_path: Path, text: str, before: str, after: str, new: str, changed: set[str]
) -> None:
    parts: list[dict[str, str]] = []
    for listed in (before, after):
        build = with_capabilities(*listed.split())
        variant = read_one(cuda_kernel(tmp_path, {ADD_SOURCE: text + ADD}, **build).folder)
        parts.append({arch: item.path for arch, item in variant.passes(ADD_SOURCE).items()})
        parts[-1]["host"] = variant.part(ADD_SOURCE, ".host.o").path
    old, current = parts
    assert current.keys() - old.keys() == {new}
    assert {name for name in old if old[name] != current.get(name)} == changed


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
    assert found == {ADD_SOURCE: {("cublas-cuda-13.0", frozenset({"dev"}))}, SCALE_SOURCE: set()}


# Code that can see all capabilities of the unit.
SEES_THE_LIST = f"int list[] = {{__CUDA_ARCH_LIST__}};\n{ADD}"


def passes_of(variant: CudaVariant) -> dict[str, str]:
    """Return the derivations of device code by unit and capability."""
    return {
        f"{source} {arch}": item.path
        for source in (ADD_SOURCE, SCALE_SOURCE)
        for arch, item in variant.passes(source).items()
    }


@pytest.mark.parametrize("text", [ADD, SEES_THE_LIST], ids=["", "sees the list"])
def test_device_code_is_that_of_the_whole(tmp_path: Path, text: str) -> None:
    folder = cuda_kernel(tmp_path, {ADD_SOURCE: text}).folder
    whole, part = read_one(folder), read_one(folder, targets="9.0")
    every, some = passes_of(whole), passes_of(part)
    assert set(some) == {f"{ADD_SOURCE} 90", f"{SCALE_SOURCE} 90"}
    assert some.items() < every.items()
    # A unit without device code does not change.
    assert part.part(BINDING_SOURCE, ".o").path == whole.part(BINDING_SOURCE, ".o").path


def test_it_is_another_build_that_waits_for_its_capability_alone(tmp_path: Path) -> None:
    folder = cuda_kernel(tmp_path).folder
    variants = [read_one(folder, targets=targets) for targets in ("", "9.0")]
    assert variants[1].part(ADD_SOURCE, ".host.o").env["listedBy"].endswith(".sm_90")
    whole, part = (named(variant.drv, "-assembled") for variant in variants)
    assert whole.env["extension"] != part.env["extension"]
    assert '"partial":["9.0"]' in part.env["metadata"]
    assert '"archs":["9.0"]' in part.env["metadata"]
    assert "partial" not in whole.env["metadata"]
    assert VARIANT in part.name
