"""Backends without a component: Python code alone, built, checked and imported."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.build.running import ask_python
from tests.evaluation import (
    ROOT,
    build,
    build_flake,
    evaluate,
    outputs_of,
    path_of,
    read_variant,
)
from tests.tiny_kernel import BUILD, FLAKE, TinyKernel

ANSWER = "def answer() -> int:\n    return 42\n"
FOR_CUDA = BUILD.replace('["cpu"]', '["cpu", "cuda"]').replace('"cpu"\nd', '"cuda"\nd')
WITHOUT_SECTIONS = BUILD.partition("[kernel.answer]")[0]


@pytest.mark.parametrize("build_toml", [FOR_CUDA, WITHOUT_SECTIONS], ids=["cuda only", "none"])
def test_it_is_built_as_python_code(tmp_path: Path, build_toml: str) -> None:
    files = {"build.toml": build_toml, "torch-ext/tiny/__init__.py": ANSWER}
    tiny = TinyKernel(tmp_path / "tiny", files)
    variant = read_variant(tiny.folder, "torch-cpu")
    assert variant.objects == {}
    assert variant.plan["link"] is None
    built = build(variant.drv)
    assert not list(built.rglob("*.so"))
    assert json.loads((built / "metadata.json").read_text())["backend"] == {"type": "cpu"}
    assert ask_python("import tiny; print(tiny.answer())", home=tmp_path, path=built) == "42"


def test_the_backend_with_a_component_is_compiled(tmp_path: Path) -> None:
    tiny = TinyKernel(tmp_path / "tiny", {"build.toml": FOR_CUDA})
    asked = (
        f"map (one: {{ inherit (one) name compiled; }}) {outputs_of(tiny.folder)}.variantDetails"
    )
    compiled = {each["name"]: each["compiled"] for each in evaluate(asked)}
    assert compiled.pop("torch-cpu") is False
    assert compiled
    assert all(compiled.values())
    assert all(name.startswith("torch2") for name in compiled)


def test_its_bundle_is_built(tmp_path: Path) -> None:
    files = {"build.toml": FOR_CUDA, "flake.nix": FLAKE, "torch-ext/tiny/__init__.py": ANSWER}
    flake = TinyKernel(tmp_path / "tiny", files).folder
    built = build_flake(f"path:{flake}#backendBundle.cpu")
    assert [each.name for each in built.iterdir() if each.name.startswith("torch")] == ["torch-cpu"]


ONLY_A_BINDING = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "mit"
backends = ["{backend}"]

[tvm-ffi]
src = ["tvm-ffi-ext/binding.cpp", "add.{ending}"]
"""


@pytest.mark.parametrize(
    ("backend", "ending", "compute"), [("cuda", "cu", "cu130"), ("rocm", "hip", "rocm72")]
)
def test_device_code_of_tvm_ffi_alone_has_the_default_targets(
    tmp_path: Path, backend: str, ending: str, compute: str
) -> None:
    files = {
        "build.toml": ONLY_A_BINDING.format(backend=backend, ending=ending),
        "tvm-ffi-ext/binding.cpp": "",
        "tvm-ffi-ext/tiny/__init__.py": "",
        f"add.{ending}": "",
    }
    outputs = outputs_of(TinyKernel(tmp_path / "tiny", files).folder, system="x86_64-linux")
    name = f"tvm-ffi01-{compute}-x86_64-linux"
    unit, drv = evaluate(
        f"let built = {outputs}.redistributable.{name}; in "
        "[ (builtins.elemAt built.plan.units 1) built.drvPath ]"
    )
    toolkit = f"{outputs}.plan.{name}.toolkit"
    default = evaluate(
        f"(import {path_of(ROOT / 'lib')}).backends.all.{backend}.toolkit"
        f".releases.${{{toolkit}}}.default"
    )
    assert len(unit["device"]["passes"]) == len(default) > 1
    assert drv.endswith(".drv")


def test_targets_of_tvm_ffi_alone_are_listed_and_can_be_narrowed(tmp_path: Path) -> None:
    files = {
        "build.toml": ONLY_A_BINDING.format(backend="cuda", ending="cu"),
        "tvm-ffi-ext/binding.cpp": "",
        "tvm-ffi-ext/tiny/__init__.py": "",
        "add.cu": "",
    }
    outputs = outputs_of(TinyKernel(tmp_path / "tiny", files).folder, system="x86_64-linux")
    asked = f'({outputs}.forTargets [ "9.0" ]).variantDetails'
    targets = {each["name"]: each["components"] for each in evaluate(asked)}
    assert targets["tvm-ffi01-cu130-x86_64-linux"] == [{"name": "tvm-ffi", "targets": ["9.0"]}]
