"""Every key of build.toml and of the matrix changes a build or a message."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
import tomlkit

from tests.evaluation import ROOT, evaluate, path_of

LIB = path_of(ROOT / "lib")
FIVE = ROOT / "tests" / "golden" / "five"
ROWS = (
    """defaults: builtins.filter (row: builtins.elem row.torchVersion [ "2.13" "2.11" ]) defaults"""
)

# For each key, a value other than the default, and where it is put. A key without a value here is a
# failure.
VALUES: dict[str, Any] = {
    "general.name": "six",
    "general.version": 7,
    "general.edition": 4,
    "general.license": "mit",
    "general.upstream": "https://example.org/up",
    "general.source": "https://example.org/source",
    "general.backends": ["cpu"],
    "general.python-depends": ["einops"],
    "general.kernel-depends": [{"repo-id": "a/b", "version": 1}],
    "general.hub.repo-id": "a/b",
    "general.hub.branch": "next",
    "general.*.python-depends": ["einops"],
    "general.*.kernel-depends": [{"repo-id": "a/b", "version": 1}],
    "general.cuda.minver": "13.0",
    "general.cuda.maxver": "12.9",
    "torch.src": ["torch-ext/torch_binding.cpp", "more.cpp"],
    "torch.include": ["include"],
    "torch.pyext": ["txt"],
    "torch.minver": "2.12",
    "torch.maxver": "2.12",
    "torch.stable-abi": "2.11",
    "torch.cxx-flags": ["-Wall"],
    "torch.headers": "lean",
    "torch-noarch.pyext": ["txt"],
    "torch-noarch.cuda-capabilities": ["9.0"],
    "torch-noarch.rocm-archs": ["gfx942"],
    "tvm-ffi.src": ["more.cpp"],
    "tvm-ffi.include": ["include"],
    "tvm-ffi.pyext": ["txt"],
    "tvm-ffi.cxx-flags": ["-Wall"],
    "kernel.five_cpu.backend": "rocm",
    "kernel.five_cuda.depends": [],
    "kernel.five_cpu.src": ["five_cpu/five.cpp"],
    "kernel.five_cpu.include": [],
    "kernel.five_cpu.cxx-flags": [],
    "kernel.five_cuda.cuda-capabilities": ["8.0"],
    "kernel.five_cuda.cuda-flags": [],
    "kernel.five_cuda.cuda-minver": "13.0",
    "kernel.five_rocm.rocm-archs": ["gfx942"],
    "kernel.five_rocm.hip-flags": [],
    "kernel.five_xpu.sycl-flags": [],
}
# Sections of other frameworks that replace [torch] and the components.
OTHERS: dict[str, Any] = {"torch-noarch": {}, "tvm-ffi": {"src": ["five_cpu/five.cpp"]}}
ROW = {
    "torchVersion": '"2.12"',
    "cpu": 'false; cudaVersion = "13.0"',
    "systems": '[ "aarch64-linux" ]',
    "bundleBuild": "true",
}


def keys() -> set[str]:
    """Return every key of the schema, with `*` for the sections that each backend has."""
    sections = evaluate(f"builtins.mapAttrs (_: s: builtins.attrNames s.keys) {LIB_SCHEMA}")
    backends = evaluate(f"(import {LIB}).config.schema.backends")
    found = set()
    for section, names in sections.items():
        for name in names:
            last = section.rpartition(".")[2]
            shared = section.startswith("general.") and last in backends
            common = name in ("python-depends", "kernel-depends")
            found.add(f"general.*.{name}" if shared and common else f"{section}.{name}")
    return found


LIB_SCHEMA = f"(import {LIB}).config.schema.sections"


def with_value(key: str, value: Any, folder: Path) -> Path:
    """Copy a kernel, change one value of its build.toml, and return the copy."""
    shutil.copytree(FIVE, folder)
    (folder / "torch-ext" / "five" / "notes.txt").write_text("")
    (folder / "more.cpp").write_text("")
    text = (FIVE / "build.toml").read_text()
    document = tomlkit.parse(text)
    if key.startswith(tuple(OTHERS)):
        del document["torch"], document["kernel"]
        section = key.partition(".")[0]
        document[section] = OTHERS[section]
    if key.startswith("tvm-ffi"):
        (folder / "torch-ext").rename(folder / "tvm-ffi-ext")
    target: Any = document
    *path, last = key.split(".")
    for part in path:
        target = target.setdefault(part, tomlkit.table())
    if value is not None:
        target[last] = value
    if key == "general.name":
        (folder / "torch-ext" / "five").rename(folder / "torch-ext" / "six")
    if key == "general.backends":
        for name, component in list(document["kernel"].items()):
            if component["backend"] not in value:
                del document["kernel"][name]
    (folder / "build.toml").write_text(tomlkit.dumps(document))
    return folder


def all_said(roots: dict[str, Path], change: str = ROWS) -> dict[str, Any]:
    """Return the outputs and messages of each kernel, from one evaluation."""
    named = " ".join(f"{json.dumps(name)} = {path_of(root)};" for name, root in roots.items())
    return dict(
        evaluate(
            f"import {path_of(ROOT / 'tests/graph/said.nix')} "
            f"{{ lib = {LIB}; change = {change}; roots = {{ {named} }}; }}"
        )
    )


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("keys")
    values = {
        key.replace("*", backend): value
        for key, value in VALUES.items()
        for backend in (("cpu", "xpu") if "*" in key else ("",))
    }
    values |= {f"{section}.nothing": None for section in ("general", *OTHERS)}
    roots = {
        key: with_value(key, value, folder / str(number))
        for number, (key, value) in enumerate(values.items())
    }
    return all_said(roots)


def test_every_key_has_a_value_here() -> None:
    families = {
        key if not key.startswith("kernel.") else f"kernel.NAME.{key.split('.')[2]}"
        for key in VALUES
    }
    assert families == keys()


@pytest.mark.parametrize("key", VALUES)
def test_a_key_changes_something(key: str, said: dict[str, Any]) -> None:
    section = key.partition(".")[0]
    base = said[f"{section if section in OTHERS else 'general'}.nothing"]
    for backend in ("cpu", "xpu") if "*" in key else ("",):
        assert said[key.replace("*", backend)] != base


def test_every_key_of_a_row_has_a_value_here() -> None:
    row = evaluate(f"builtins.head (import {LIB}).matrix.torchBuilds.default")
    assert set(row) == set(ROW)


@pytest.mark.parametrize("key", ROW)
def test_a_key_of_a_row_changes_something(key: str) -> None:
    row = 'torchVersion = "2.13"; cpu = true; systems = [ "x86_64-linux" ];'
    base = all_said({"five": FIVE}, f"_: [ {{ {row} }} ]")
    name = key.partition(".")[0]
    kept = "; ".join(
        part for part in row.rstrip(";").split("; ") if not part.startswith(f"{name} =")
    )
    changed = all_said({"five": FIVE}, f"_: [ {{ {kept}; {key} = {ROW[key]}; }} ]")
    assert changed != base
