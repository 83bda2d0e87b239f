"""Bindings as the compiler and Torch see them: names, types, defaults, and what may be written."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.compliance.conftest import build_package
from tests.evaluation import ROOT, build, call, evaluate, nix_string, path_of

sys.path.insert(0, str(ROOT / "pkgs" / "porting" / "read-bindings"))
sys.dont_write_bytecode = True

from compiling import ANCHOR, Compiler, Tools, Unit, keep_flags, write_headers  # noqa: E402
from declarations import Declarations  # noqa: E402
from schemas import describe_function, make_default, make_parameter_type, make_result_type  # noqa: E402

UNITS: list[dict[str, Any]] = [
    {"file": "many.cpp", "extension": "p._C", "flags": ["-O3", "-Wall", "-DWITH_FAST"]},
    {"file": "more.cu", "extension": "p._C"},
    {"file": "broken.cpp", "extension": "r"},
    {"file": "adapted.cpp", "extension": "q"},
]
ADAPTER = ROOT / "python/src/kernel_builder/porting/registration_types.h"
SCHEMAS = [
    "level() -> int",
    "handle_of(Tensor x) -> int",
    "deep(Tensor[][] x, int[]? sizes, int mode, int[2] pad, ScalarType type, bool[3] mask)"
    " -> (Tensor, Tensor)",
    'defaults(Tensor(a!) out, Tensor x, float eps=1e-05, str mode="up", int[] n=[1, 2],'
    " Tensor(b!)? b=None, *, int from_=-1, int m=1) -> ()",
    "count(Tensor[] outs, Tensor[] ins, Tensor[] more, Tensor x) -> int",
    "results(Tensor arg0) -> (float[], float[])",
    "hidden(Tensor(a!) out, float lambda_) -> ()",
    "over.a(Tensor(a!) x, float y) -> ()",
    "over.b(Tensor z, Tensor x) -> ()",
    "kind(Tensor x, ScalarType t, bool c) -> bool",
    "again(float x) -> float",
    "fast() -> ()",
]


def read(units: list[dict[str, Any]], project: Path, backend: str = "cpu") -> Mapping[str, Any]:
    """Return the result for each unit."""
    shutil.copytree(ROOT / "tests" / "porting" / "bindings", project)
    shutil.copy(ADAPTER, project)
    call = (
        f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}.readBindings {{ "
        f'project = builtins.path {{ name = "project"; path = {path_of(project)}; }}; '
        f'units = {nix_string(json.dumps(units))}; backend = "{backend}"; }}'
    )
    out = build(str(evaluate(f"({call}).drvPath")))
    return {each["unit"]: each for each in json.loads((out / "bindings.json").read_text())}


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Any]:
    return read(UNITS, tmp_path_factory.mktemp("bindings") / "project")


def test_device_code(tmp_path: Path) -> None:
    """A compiler of C++ reads it without its bodies, and without headers that are not there."""
    (result,) = read([{"file": "device.cu"}], tmp_path / "project", "cuda").values()
    assert not result["failed"]
    assert result["absent"] == ["THC/THCAtomics.cuh"]
    (found,) = result["registered"]
    assert found["schema"] == "one_more(Tensor x, int n) -> Tensor"
    assert found["place"] == "device.cu:27"


def test_functions_of_pybind11(results: Mapping[str, Any]) -> None:
    result = results["many.cpp"]
    # Functions that no unit has: one defines more, and the other gives LEVEL its value.
    assert result["called"] == ["bind_other(pybind11::module_&)", "level()"]
    assert result["failed"] == f"{result['called'][0]} defines more, in a file that was not read"
    found = result["registered"]
    assert [each["schema"] for each in found if each.get("schema")] == SCHEMAS
    by_name = {each["name"]: each for each in found}
    assert by_name["raw"]["unknown"] == ["float*", "void*"]
    assert by_name["raw"]["parameters"][1]["type"] == "int[]"
    assert (by_name["tally"]["kind"], by_name["use"]["kind"]) == ("object", "object")
    assert by_name["use"]["unknown"] == ["Handle&", "std::function<int(int)>"]
    assert by_name["count"]["marked"] == (
        "count(Tensor(a!)[] outs, Tensor[] ins, Tensor[] more, Tensor(b!) x) -> int"
    )
    assert by_name["hidden"]["function"] == "a::(anonymous namespace)::hidden<float>"
    assert by_name["use"]["function"] is None
    lines = (ROOT / "tests/porting/bindings/many.cpp").read_text().splitlines()
    for name, text in (("raw", "BIND(raw)"), ("use", 'm.def("use"')):
        assert text in lines[int(by_name[name]["place"].rpartition(":")[2]) - 1]


def test_functions_of_another_file(results: Mapping[str, Any]) -> None:
    (found,) = results["more.cu"]["registered"]
    assert found["schema"] == "sub_deep(Tensor x, bool all=True) -> Tensor"
    assert found["namespace"] == "_C.sub"


def test_functions_with_types_that_torch_cannot_pass(results: Mapping[str, Any]) -> None:
    (found,) = results["adapted.cpp"]["registered"]
    assert found["schema"] == "scaled(Tensor? x, float by) -> Tensor"


def test_a_unit_that_does_not_compile(results: Mapping[str, Any]) -> None:
    assert "generated.h: No such file or directory" in results["broken.cpp"]["failed"]


def test_pybind11_without_the_line_of_the_recorder(tmp_path: Path) -> None:
    header = tmp_path / "torch" / "include" / "pybind11" / "pybind11.h"
    header.parent.mkdir(parents=True)
    header.write_text("class cpp_function {};\n")
    with pytest.raises(ValueError, match="does not have the line"):
        write_headers(tmp_path / "torch", tmp_path / "headers")


def test_nothing_is_compiled_without_the_sandbox(tmp_path: Path) -> None:
    script = ROOT / "pkgs" / "porting" / "read-bindings" / "read.py"
    env = {"NIX_BUILD_TOP": str(tmp_path), "TMPDIR": str(tmp_path)}
    done = call(sys.executable, "-B", script, status=1, env=env)
    assert "runs in the sandbox alone" in done.stderr


def test_flags_that_change_types() -> None:
    flags = "-O3 -DA=1 -I x -isystem y -Wall -std=c++14 -march=native -fopenmp -lm"
    assert " ".join(keep_flags(flags.split())) == "-DA=1 -I x -isystem y -march=native -fopenmp"


@pytest.mark.parametrize(
    ("code", "types", "want"),
    [
        ("int f(int a, std::map<int, float> b = {}, char *c[2]);", 3, "a b c"),
        ("int f(int); int f(const int a);", 1, "a!"),
        ("int g() { return f(x, y); } int f(int x, float const y);", 2, "x y!"),
        ("int f(const at::Tensor, const std::vector<int>);", 2, ""),
        ("int f(const at::Tensor &x, unsigned int);", 2, ""),
        ("template <class T> int f(T (*call)(int), T x);", 2, ""),
        ("int ns::f(\n  const int *x, int x);", 2, ""),
        ("int f(void);", 0, ""),
    ],
)
def test_names_of_parameters(code: str, types: int, want: str) -> None:
    text = f'# 1 "/store/x.h"\nint f(int of, int another, int file);\n# 1 "a.cpp"\n{code}\n'
    found = Declarations([text]).find("ns::f", "f", ["int"] * types)
    assert " ".join(name + "!" * const for name, const in found or []) == want


@pytest.mark.parametrize(
    ("text", "type_", "want"),
    [
        ("True", "bool", "True"),
        ("1", "float", "1.0"),
        ("1", "Tensor", None),
        ("None", "int", None),
        ("None", "int[]?", "None"),
        ("(0, 1)", "int[2]", "[0, 1]"),
        ("'a\"b'", "str", '"a\\"b"'),
        ("inf", "float", None),
        ("1.5", "int", None),
        ("<object at 0x0>", "Tensor?", None),
    ],
)
def test_defaults(text: str, type_: str, want: str | None) -> None:
    assert make_default(text, type_) == want


@pytest.mark.parametrize(
    ("type_", "want"),
    [
        ("(int, int, int)", "int[3]"),
        ("(int, float)", None),
        ("(Tensor, Tensor)", None),
        ("Dict(str, Tensor)", "Dict(str, Tensor)"),
        ("<float*>?", None),
        ("int[2][]", "int[][]"),
    ],
)
def test_types_of_parameters(type_: str, want: str | None) -> None:
    assert make_parameter_type(type_) == want
    assert make_result_type("(Tensor, int)[]") is None


def test_a_default_before_a_parameter_without_one() -> None:
    each = {"type": "int", "cpp": "int", "const": False}
    record = {
        "given": [{"name": "a", "default": "1"}, {"name": "b"}, {"name": "c", "default": "2"}],
        "parameters": [each] * 3,
        "positional": 3,
        "result": "()",
        "result_cpp": "void",
        "callable": "f",
    }
    described = describe_function(record, None)
    assert described["schema"] == "(int a, int b, int c=2) -> ()"
    assert described["lost"] == ["a"]


def test_a_module_that_two_files_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.c").write_text(f"void PyInit_m(void) {{}}\nstatic int {name};\n")
    gcc = build_package("toolchain") / "bin" / "gcc"
    # gcc starts the assembler and the linker of the PATH, as in a builder.
    monkeypatch.setenv("PATH", f"{gcc.parent}:{os.environ['PATH']}")
    call(gcc, "-c", "a.c", "b.c", cwd=tmp_path)
    header = tmp_path / "torch" / "include" / "pybind11" / "pybind11.h"
    header.parent.mkdir(parents=True)
    header.write_text(ANCHOR)
    tools = Tools(gcc.with_name("g++"), tmp_path, (), tmp_path / "torch", (), tmp_path)
    units = [Unit(f"{each}.c", (), (), "m", tmp_path / f"{each}.o") for each in "ab"]
    linked = Compiler(tools, tmp_path, tmp_path / "made").link(units, 0)
    assert linked == (None, "PyInit_m is in two files of this extension")
