"""The derivations that build a kernel for Intel GPUs, and which of them an edit changes."""

import re
from pathlib import Path

from tests.derivation import closure_of, named
from tests.evaluation import ROOT, evaluate, outputs_of, path_of, read_variant
from tests.xpu.xpu_kernel import BINDING, SCALE, SHIFT, VARIANT, xpu_kernel

TOOLKIT = re.compile(r"oneapi-([0-9.]+)")
# A flag that sycl-tla adds.
TLA = "-DCUTLASS_ENABLE_SYCL=1"


def test_a_unit_is_compiled_by_intels_compiler_of_its_release(tmp_path: Path) -> None:
    variant = read_variant(xpu_kernel(tmp_path).folder, VARIANT)
    assert set(variant.objects) == {BINDING, SCALE, SHIFT}
    for source in variant.objects:
        item = variant.read_object(source)
        assert item.env["compiler"] == "icpx"
        assert "oneapi-2026.0" in {made.name for made in closure_of(item.path)}


def test_an_edit_compiles_what_sees_it(tmp_path: Path) -> None:
    kernel = xpu_kernel(tmp_path)
    variants = [read_variant(kernel.folder, VARIANT)]
    for file, text in ((SCALE, "\n"), ("torch-ext/tiny/more.py", "MORE = 1\n")):
        kernel.write(file, text)
        variants.append(read_variant(kernel.folder, VARIANT))
    first, edited, with_python = variants
    assert {s for s in first.objects if first.objects[s] != edited.objects[s]} == {SCALE}
    assert edited.extension != with_python.extension
    codes = [named(variant.drv, "-device-code.o").path for variant in variants]
    assert codes[0] != codes[1] == codes[2]


def test_only_units_that_see_sycl_tla_get_its_flags(tmp_path: Path) -> None:
    kernel = xpu_kernel(tmp_path, depends='["torch", "sycl_tla"]')
    kernel.write(SHIFT, "#include <cute/tensor.hpp>\n")
    plan = read_variant(kernel.folder, VARIANT).plan
    assert {unit["source"] for unit in plan["units"] if TLA in unit["flags"]} == {SHIFT}


def test_every_row_is_instantiated_with_packages_of_its_own_release(tmp_path: Path) -> None:
    # Intel's packages and Torch's own wheels are only instantiated, not fetched.
    variants = f"{outputs_of(xpu_kernel(tmp_path).folder)}.redistributable"
    drvs = evaluate(f"map (variant: variant.drvPath) (builtins.attrValues {variants})")
    rows = evaluate(
        f'map (row: row.toolkit) (builtins.filter (row: row.backend == "xpu") '
        f"(import {path_of(ROOT / 'lib')}).matrix.torchBuilds.knownRows)"
    )
    found = [
        match[1]
        for drv in drvs
        for item in closure_of(drv)
        if (match := TOOLKIT.fullmatch(item.name))
    ]
    assert sorted(found) == sorted(rows)
