"""Plans of CUDA units, and the derivations that variants, edits and narrow builds share."""

import json
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    CUDA_12,
    INSTEAD,
    REGISTRIES,
    SCALE_SOURCE,
    VARIANT,
    CudaVariant,
    cuda_kernel,
    read_cuda,
    read_one,
    with_capabilities,
)
from tests.derivation import closure_of, named, read_derivation
from tests.evaluation import NixError


def test_flags_of_cxx_reach_no_device_code(tmp_path: Path) -> None:
    # nvcc would take the flag after -Werror for its value.
    build = BUILD.replace("src = ", 'cxx-flags = ["-Werror", "-DOF_CXX"]\nsrc = ').replace(
        '"numbers/numbers.h"', '"numbers/numbers.h", "numbers/more.cpp"'
    )
    kernel = cuda_kernel(tmp_path, {"build.toml": build, "numbers/more.cpp": "int more;\n"})
    units = read_one(kernel.folder).plan["units"]
    for flag in ("-DOF_CXX", "-Werror"):
        seeing = {unit["source"] for unit in units if flag in unit["flags"]}
        assert seeing == {BINDING_SOURCE, "numbers/more.cpp"}, flag
    # Torch's build defines these macros for nvcc only.
    seeing = {unit["source"] for unit in units if "-DENABLE_FP8" in unit["flags"]}
    assert seeing == {ADD_SOURCE, SCALE_SOURCE}


@pytest.mark.parametrize(
    ("wanted", "headers"),
    [
        (None, {"device": "lean", "host": "lean-front-end"}),
        ("lean", {"device": "lean", "host": "lean"}),
        ("full", {"device": "full", "host": "full"}),
    ],
)
def test_the_plan_says_which_headers_of_torch_are_tried(
    tmp_path: Path, wanted: str | None, headers: dict[str, str]
) -> None:
    section = "[torch]\n" if wanted is None else f'[torch]\nheaders = "{wanted}"\n'
    files = {
        "build.toml": BUILD.replace("[torch]\n", section),
        ADD_SOURCE: "#include <torch/all.h>\n" + ADD,
    }
    variant = read_one(cuda_kernel(tmp_path, files).folder)
    assert variant.unit(ADD_SOURCE)["torchHeaders"] == headers
    assert variant.unit(SCALE_SOURCE)["torchHeaders"] is None
    (one, *_) = variant.passes(ADD_SOURCE).values()
    assert one.env["torchHeaders"] == headers["device"]
    assert variant.part(ADD_SOURCE, ".host.o").env["torchHeaders"] == headers["host"]


@pytest.mark.parametrize(
    "flags",
    [
        ["-gencode", "arch=compute_103a,code=sm_103a"],
        ["-O2", "--generate-code=arch=compute_103a,code=sm_103a", "-arch=native"],
        ["-arch=compute_103a", "-code=sm_103a"],
    ],
)
def test_targets_of_flags_are_those_of_the_key(tmp_path: Path, flags: list[str]) -> None:
    """A kernel with flags that name targets is the kernel that lists them, in each derivation."""
    others = json.dumps([flag for flag in flags if flag.startswith("-O")])
    listing = with_capabilities("8.0", "10.3a") | {"cuda-flags": others}
    naming = with_capabilities("8.0") | {"cuda-flags": json.dumps(flags)}
    folder = cuda_kernel(tmp_path / "naming", **naming).folder
    listed = read_one(cuda_kernel(tmp_path / "listing", **listing).folder)
    stated = read_one(folder)
    assert compiles_of(stated, ADD_SOURCE) == compiles_of(listed, ADD_SOURCE)
    assert '"archs":["10.3a","8.0"]' in named(stated.drv, "-assembled").env["metadata"]
    assert read_one(folder, targets="10.3a").passes(ADD_SOURCE).keys() == {"103a"}


CUTLASS = "#include <cutlass/cutlass.h>\n" + ADD


def test_cutlass_is_an_input_of_the_units_that_include_it(tmp_path: Path) -> None:
    files = {
        "build.toml": BUILD.replace('["torch"]', '["torch", "cutlass_3_5"]'),
        ADD_SOURCE: CUTLASS,
        # The binding sees the headers that its components depend on.
        BINDING_SOURCE: f"#include <cutlass/numeric_types.h>\n{BINDING}",
    }
    variant = read_one(cuda_kernel(tmp_path, files).folder)

    def names(source: str) -> set[str]:
        (one, *_) = variant.passes(source).values()
        return {item.name for item in closure_of(one.path)}

    assert "cutlass_3_5-headers" in names(ADD_SOURCE)
    assert "cutlass_3_5-headers" not in names(SCALE_SOURCE)
    assert variant.unit(ADD_SOURCE)["packages"] == ["cutlass_3_5", "cuda"]
    assert "cutlass_3_5" in variant.unit(BINDING_SOURCE)["packages"]


BROUGHT = """\
overlays = [
  (final: previous: {
    dependencies = previous.dependencies // {
      own_headers = builtins.toFile "own" "";
      cutlass_3_9 = final.collectHeaders {
        name = "cutlass-fork";
        source = final.fetchArchive {
          owner = "own";
          repo = "cutlass";
          rev = "fork";
          hash = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
        };
        folders = [ "include" ];
      };
    };
  })
];
"""


def test_a_kernels_flake_brings_what_it_depends_on(tmp_path: Path) -> None:
    build = BUILD.replace('["torch"]', '["torch", "own_headers", "cutlass_3_9"]')
    kernel = cuda_kernel(tmp_path, {"build.toml": build, ADD_SOURCE: CUTLASS})
    with pytest.raises(NixError, match=r"kernel\.numbers\.depends\[1\]"):
        read_one(kernel.folder)
    variant = read_one(kernel.folder, arguments=f"{REGISTRIES} {BROUGHT}")
    (one, *_) = variant.passes(ADD_SOURCE).values()
    assert "cutlass-fork-headers" in {item.name for item in closure_of(one.path)}
    assert "-own/include" in one.env["flags"]


@pytest.mark.parametrize(
    ("name", "rows", "newest"), [(VARIANT, REGISTRIES, 15), (INSTEAD, CUDA_12, 13)]
)
def test_a_compiler_that_nvcc_refuses_is_told_while_evaluating(
    name: str, rows: str, newest: int, tmp_path: Path
) -> None:
    other = "overlays = [ (_: previous: { toolchain = previous.toolchain // { version = "
    kernel = cuda_kernel(tmp_path)
    assert read_one(kernel.folder, name, arguments=f'{rows} {other}"{newest}"; }}; }}) ];')
    with pytest.raises(NixError) as error:
        read_one(kernel.folder, name, arguments=f'{rows} {other}"{newest + 1}"; }}; }}) ];')
    assert f"found  gcc {newest + 1}" in str(error.value)
    assert f"want   gcc 6 to {newest}" in str(error.value)


LIBRARIES = {"cublas", "cufft", "curand", "cusolver", "cusparse", "nvjitlink", "nvrtc", "nvtx"}


def compiles_of(variant: CudaVariant, source: str) -> frozenset[str]:
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
def test_a_narrow_build_has_device_code_of_the_whole(tmp_path: Path, text: str) -> None:
    folder = cuda_kernel(tmp_path, {ADD_SOURCE: text}).folder
    whole, part = read_one(folder), read_one(folder, targets="9.0")
    every, some = passes_of(whole), passes_of(part)
    assert set(some) == {f"{ADD_SOURCE} 90", f"{SCALE_SOURCE} 90"}
    assert some.items() < every.items()
    # A unit without device code does not change.
    assert part.part(BINDING_SOURCE, ".o").path == whole.part(BINDING_SOURCE, ".o").path
    # It is another build, and waits for its capability alone.
    assert part.part(ADD_SOURCE, ".host.o").env["listedBy"].endswith(".sm_90")
    of_whole, of_part = (named(variant.drv, "-assembled").env for variant in (whole, part))
    assert of_whole["extension"] != of_part["extension"]
    assert '"partial":["9.0"]' in of_part["metadata"]
    assert '"archs":["9.0"]' in of_part["metadata"]
    assert "partial" not in of_whole["metadata"]
    assert VARIANT in named(part.drv, "-assembled").name
