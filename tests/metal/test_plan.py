"""The derivations that compile a kernel for Apple GPUs, and which of them an edit changes."""

from pathlib import Path
from typing import Any

import pytest

from tests.derivation import Derivation, closure_of, named, read_derivation
from tests.evaluation import evaluate, outputs_of
from tests.tiny_kernel import TinyKernel, head_for

MAC = "aarch64-darwin"
VARIANT = f"torch213-metal-{MAC}"
BUILD = f"""\
{head_for("metal")}[kernel.tiny_metal]
backend = "metal"
depends = ["torch", "metal-cpp"]
cxx-flags = ["-Wall"]
src = ["tiny/load.mm", "tiny/call.cpp", "tiny/add.metal", "tiny/scale.metal", "tiny/shared.h"]
"""
FILES = {
    "build.toml": BUILD,
    "torch-ext/torch_binding.cpp": '#include "registration.h"\n'
    "REGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n",
    "torch-ext/tiny/__init__.py": "",
    "tiny/load.mm": "#include EMBEDDED_METALLIB_HEADER\n",
    "tiny/call.cpp": "#include <Metal/Metal.hpp>\n",
    "tiny/shared.h": "constant int width = 4;\n",
    "tiny/add.metal": '#include "shared.h"\nkernel void add() {}\n',
    "tiny/scale.metal": "kernel void scale() {}\n",
}


def read_metal(folder: Path) -> tuple[Derivation, dict[str, str]]:
    """Return the variant, and the files of the kernel's own steps by name."""
    outputs = outputs_of(folder, system=MAC)
    drv = evaluate(f"{outputs}.redistributable.{VARIANT}.drvPath")
    own = {item.name: item.path for item in closure_of(drv) if item.name.startswith("tiny-")}
    return read_derivation(drv), own


@pytest.fixture(scope="module")
def metal(tmp_path_factory: pytest.TempPathFactory) -> tuple[Derivation, dict[str, str]]:
    return read_metal(TinyKernel(tmp_path_factory.mktemp("metal"), FILES).folder)


def test_each_shader_is_a_derivation_and_the_unit_that_asks_embeds_them(
    metal: tuple[Derivation, dict[str, str]],
) -> None:
    variant, steps = metal
    shaders = {name for name in steps if name.endswith(".air")}
    assert shaders == {"tiny-metal-tiny-add.metal.air", "tiny-metal-tiny-scale.metal.air"}
    header = named(variant.path, "-metallib.h")
    assert {steps[name] for name in shaders} <= header.inputs.keys()
    unit = named(variant.path, "load.mm.o")
    assert header.path in unit.inputs
    assert f"{header.outputs['out']} .kernel-builder/metallib.h" in unit.env["files"]
    # No other unit waits for shaders, and shaders are not linked into the extension.
    assert header.path not in named(variant.path, "call.cpp.o").inputs
    assert "metal.air" not in named(variant.path, "-extension").env["objects"]


def test_metal_cpp_is_seen_by_those_that_include_it(
    metal: tuple[Derivation, dict[str, str]],
) -> None:
    variant, _ = metal
    call = named(variant.path, "call.cpp.o")
    assert "-metal-cpp-headers/include" in call.env["flags"]
    assert "metal-cpp" not in named(variant.path, "torch_binding.cpp.o").env["flags"]


def test_an_edit_of_a_shader_compiles_it_and_what_embeds_it(tmp_path: Path) -> None:
    kernel = TinyKernel(tmp_path / "tiny", FILES)
    _, before = read_metal(kernel.folder)
    kernel.write("tiny/shared.h", "constant int width = 8;\n")
    _, after = read_metal(kernel.folder)
    kept = {name for name in before if before[name] == after[name]}
    assert {"tiny-metal-tiny-scale.metal.air", "tiny-metal-tiny-call.cpp.o"} <= kept
    assert not {"tiny-metal-tiny-add.metal.air", "tiny-metallib.h"} & kept
    assert not [name for name in kept if name.endswith("load.mm.o")]


def test_every_step_may_use_the_machines_compilers(
    metal: tuple[Derivation, dict[str, str]],
) -> None:
    variant, _ = metal
    steps = [item for item in closure_of(variant.path) if item.system != "builtin"]
    assert {item.system for item in steps} == {MAC}
    assert [item.name for item in steps if item.env.get("__noChroot") != "1"] == []


def test_every_row_is_instantiated(tmp_path: Path) -> None:
    # Torch, Python and packages for macOS are only instantiated, not fetched.
    kernel = TinyKernel(tmp_path / "tiny", FILES)
    outputs = outputs_of(kernel.folder, system=MAC)
    made: dict[str, Any] = evaluate(
        f"builtins.mapAttrs (_: v: v.drvPath) {outputs}.redistributable"
    )
    assert sorted(made) == sorted(evaluate(f"{outputs}.archVariants"))
    wheels = {
        item.env["file"]
        for drv in made.values()
        for item in closure_of(drv)
        if item.env.get("project") == "torch"
    }
    assert len(wheels) == len(made)
    assert all("-cp311-" in wheel and wheel.endswith("_arm64.whl") for wheel in wheels)
