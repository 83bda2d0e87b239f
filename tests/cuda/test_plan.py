"""CUDA units in the plan and the manifest; nothing is built."""

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
    cuda_kernel,
    read_manifest,
    read_one,
    with_capabilities,
)
from tests.derivation import closure_of
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, outputs_of, path_of


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


def test_a_capability_that_this_compiler_lacks_is_a_warning(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("9.0", "10.1"))
    assert read_one(kernel.folder).passes(ADD_SOURCE).keys() == {"90"}
    (entry,) = (v for v in read_manifest(kernel.folder)["variants"] if v["name"] == VARIANT)
    (warning,) = entry["warnings"]
    assert warning["at"] == "kernel.numbers.cuda-capabilities"
    assert warning["found"].startswith('"10.1", left out: only CUDA 12.8, 12.9 ')
    # `list-variants --explain` shows it.
    details = evaluate(f"({outputs_of(kernel.folder, REGISTRIES)}).variantDetails")
    (explained,) = (each for each in details if each["name"] == VARIANT)
    assert warning in explained["warnings"]


def test_nothing_but_capabilities_that_this_compiler_lacks(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("10.1"))
    for entry in read_manifest(kernel.folder)["variants"]:
        assert "drv" not in entry
        assert "only targets that CUDA 13." in entry["unavailable"]


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


def test_every_toolkit_is_defined_down_to_its_sources() -> None:
    releases = [file.stem for file in (ROOT / "backends/cuda/releases").glob("*.json")]
    assert len(releases) >= 5
    for release in releases:
        wanted = f"{{ toolkit = {json.dumps(release)}; ptxas = null; }}"
        toolkit = f"((import {path_of(ROOT)}).packages.{SYSTEM}.cudaToolkit {wanted})"
        drvs = evaluate(f"map (p: p.drvPath) (builtins.attrValues {toolkit})")
        sources = {
            item.name for drv in drvs for item in closure_of(drv) if "outputHash" in item.env
        }
        assert any("nvcc" in name for name in sources), release
