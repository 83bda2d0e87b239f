"""Derivations that build a kernel for Intel GPUs, edits of it, and flags of the existing tool."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.derivation import closure_of, named
from tests.evaluation import ROOT, evaluate, path_of, read_variant
from tests.xpu.xpu_kernel import BINDING, SCALE, SHIFT, VARIANT, xpu_kernel

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


TABLE = json.loads(Path(__file__).with_name("existing-tool.json").read_text())
# Only our device link is a step of its own.
OURS = {"-fPIC", "-fsycl-link"}
# Flags that other tests compare, or that no tool shares.
COMMON = ("-O", "-D", "-I", "-std=")


def join_pairs(words: list[str]) -> list[str]:
    """Join the options of other programs with their values."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1].startswith("-X") and " " not in joined[-1]:
            joined[-1] += f" {word}"
        else:
            joined.append(word)
    return joined


@pytest.fixture(scope="module")
def plans(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, bool], Any]:
    """The plans of a kernel, by toolkit and by whether it sees sycl-tla."""
    found: dict[tuple[str, bool], Any] = {}
    for tla in (False, True):
        kernel = xpu_kernel(
            tmp_path_factory.mktemp("xpu"),
            {SHIFT: "#include <cute/tensor.hpp>\n"} if tla else {},
            depends='["torch", "sycl_tla"]' if tla else '["torch"]',
            **{"sycl-flags": "[]"},
        )
        listed = evaluate(
            f"map (variant: variant.plan) ((import {path_of(ROOT / 'lib')}).plan.kernel.readKernel "
            f"{{ root = {path_of(kernel.folder)}; torchVersions = x: x; brought = [ ]; }}).variants"
        )
        found |= {(plan["toolkit"], tla): plan for plan in listed}
    return found


@pytest.mark.parametrize(
    ("toolkit", "record"),
    [(toolkit, record) for record in TABLE["flags"] for toolkit in record["toolkits"]],
)
def test_flags(toolkit: str, record: dict[str, Any], plans: dict[tuple[str, bool], Any]) -> None:
    plan = plans[toolkit, record["sycl_tla"]]
    if record["step"] == "compile":
        (unit,) = (unit for unit in plan["units"] if unit["source"] == SHIFT)
        words = unit["flags"]
        at = words.index("-isystem")
        assert all(word.startswith(("-isystem", "@")) for word in words[at:])
        found = [word for word in words[:at] if not word.startswith(COMMON)]
        # The kernel uses a file that CMake does not know as C++.
        found = [word for word in found if word not in ("-x", "c++")]
    else:
        link = plan["link"]
        ours = [word for word in link["device"]["flags"] if word not in OURS]
        found = join_pairs(ours + [word for word in link["flags"] if word != "-shared"])
    assert sorted(found) == sorted(record["flags"]), (
        f"flags as of {TABLE['repository']} {TABLE['commit']}; docs/guide/xpu.md says how to renew"
    )
