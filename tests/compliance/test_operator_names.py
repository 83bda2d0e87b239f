"""Names of operators in Python files are compared with the operators that there are."""

import itertools
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from registration_check.calls import find_unknown
from registration_check.files import read_files

from kernel_builder.import_check.operators import find_repeated, find_unregistered
from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

REGISTERED = ["hello", "hello_backward", "hello_backward.out", "sum"]
IMPORT = "from ._ops import ops\n"

WRONG = {
    "a public function": f"{IMPORT}__all__ = ['h']\ndef hello(x):\n    return ops.hallo(x)\n",
    "under another name": "from ._ops import ops as backend\ndef f(x): return backend.hallo(x)\n",
    "with an implementation for another device": (
        f"{IMPORT}lib.impl('hallo', f, 'CUDA')\ndef f(x): return ops.hallo(x)\n"
    ),
    "like an included file": f"{IMPORT}def f(x): return ops.hallo_h(x)\n",
    "in a comment of C++": f"{IMPORT}def f(x): return ops.hallo_(x)\n",
    "the C++ function of an operator": f"{IMPORT}def f(x): return ops.hello_function(x)\n",
    "like no other": f"{IMPORT}def f(x): return ops.quantize(x)\n",
    "after a check of arguments": (
        f"{IMPORT}def f(x):\n    if x is None:\n        raise ValueError\n    return ops.hallo(x)\n"
    ),
    "in a test": f"{IMPORT}def f(x):\n    if ops.hallo(x): pass\n",
    "first of `and`": f"{IMPORT}def f(x): return ops.hallo(x) and x\n",
    "in a comprehension": f"{IMPORT}def f(x): return [ops.hallo(y) for y in x]\n",
    "in finally": f"{IMPORT}def f(x):\n    try:\n        x()\n    finally:\n        ops.hallo(x)\n",
    "in a private function": f"{IMPORT}def _g(x): ops.hallo(x)\ndef f(x): return _g(x)\n",
    "in a private function with another use": (
        f"{IMPORT}def _g(x): ops.hallo(x)\ndef f(x):\n    if x: _g(x)\n    _g(x)\n"
    ),
    "both with and without a condition": (
        f"{IMPORT}def f(x):\n    if x: ops.hallo(x)\n    return ops.hallo(x)\n"
    ),
    "in a class": f"{IMPORT}class F:\n    def forward(self, x): return ops.hallo(x)\n",
    "in a table of operators": f"{IMPORT}TABLE = {{'a': ops.hallo}}\n",
    "with a context": f"{IMPORT}def f(x):\n    with x:\n        ops.hallo(x)\n",
    "after a loop that ends": (
        f"{IMPORT}def f(x):\n    for y in x:\n        if y: break\n    ops.hallo(x)\n"
    ),
}
# Calls that may never run.
CONDITIONAL = {
    "if": "    if x.device.type == 'tpu':\n        ops.hallo(x)\n",
    "elif": "    if x:\n        pass\n    elif x.y:\n        with x:\n            ops.hallo(x)\n",
    "else": "    if x:\n        pass\n    else:\n        ops.hallo(x)\n",
    "try": "    try:\n        import tpu\n        ops.hallo(x)\n    except ImportError: pass\n",
    "except": "    try:\n        x()\n    except ImportError:\n        ops.hallo(x)\n",
    "match": "    match x:\n        case 1:\n            ops.hallo(x)\n",
    "conditional expression": "    return x if x else ops.hallo(x)\n",
    "and": "    return x and ops.hallo(x)\n",
    "or": "    return x or x.y or ops.hallo(x)\n",
    "comprehension": "    return {y: ops.hallo(y) for y in x if y.is_tpu}\n",
    "while": "    while x:\n        ops.hallo(x)\n",
    "after a return": "    if x:\n        return x\n    return ops.hallo(x)\n",
    "after a return in a loop": "    for y in x:\n        if y: return y\n    ops.hallo(x)\n",
    "after continue": "    for y in x:\n        if y: continue\n        ops.hallo(x)\n",
    "lambda": "    return {'tpu': lambda y: ops.hallo(y)}[x.device.type](x)\n",
    "a function within": "    def g(): ops.hallo(x)\n    if x: g()\n",
    "a private function": "    if x: _g(x)\ndef _g(x):\n    _h(x)\ndef _h(x):\n    ops.hallo(x)\n",
    "a table of functions": "    {'tpu': _g}[x](x)\ndef _g(x):\n    ops.hallo(x)\n",
}
WRONG_OVERLOADS = {
    "another overload": f"{IMPORT}f = ops.hello_backward.oot\n",
    "through the module": "from . import _ops\ndef f(x): return _ops.ops.hello_backward.oot(x)\n",
    "of an operator that has one": f"{IMPORT}f = lambda x: ops.hello.quantized(x)\n",
}
RIGHT = {
    "the right name": f"{IMPORT}def hello(x): return ops.hello(x)\n",
    "an overload": f"{IMPORT}def f(x): return ops.hello_backward.out(x)\n",
    "the only overload": f"{IMPORT}f = ops.hello.default\n",
    "an overload that C++ has for another backend": f"{IMPORT}f = ops.hello.rocm\n",
    "an overload with hasattr": (f"{IMPORT}if hasattr(ops.hello, 'fast'): f = ops.hello.fast\n"),
    "another attribute of an operator": f"{IMPORT}f = ops.hello.overloads\n",
    "a name that C++ has for another backend": f"{IMPORT}def f(x): return ops.hello_rocm(x)\n",
    "a string that is joined": f"{IMPORT}def f(x): return ops.hello_joined(x)\n",
    "with hasattr": f"{IMPORT}f = ops.hallo if hasattr(ops, 'hallo') else None\n",
    "with a fallback": (
        f"{IMPORT}def f(x):\n    try:\n        return ops.hallo(x)\n"
        "    except AttributeError:\n        return x\n"
    ),
    "registered by a function": (
        f"{IMPORT}def late(p): torch.library.custom_op(p('hallo'))(g)\n"
        "def f(x): return ops.hallo(x)\n"
    ),
    "defined by a library": (
        f"{IMPORT}def late(lib): lib.define('hallo(Tensor x) -> Tensor')\n"
        "def f(x): return ops.hallo(x)\n"
    ),
    "other ops": "from .mine import ops\ndef f(x): return ops.hallo(x)\n",
}
CPP = """\
#include "hallo_h.h"
#  include "hallo_h.cuh"
#ifdef ROCM_KERNEL
ops.def("hello_rocm(Tensor x) -> ()");
ops.def("hello.rocm(Tensor x) -> ()");
ops.def(
    "hello_joined(Tensor x, "
    "int n) -> ()");
#endif
// ops.def("hallo_(Tensor x) -> ()");
ops.impl("hello", torch::kCPU, &hello_function);
"""
MACRO = "#define REGISTER(name) ops.def(#name, &name)\nREGISTER(hallo)\n"


def find(tmp_path: Path, text: str, cpp: str = CPP) -> tuple[list[Problem], list[Problem]]:
    """Return errors and warnings."""
    folder = tmp_path / "variant"
    folder.mkdir()
    (folder / "__init__.py").write_text(text)
    source = tmp_path / "torch_binding.cpp"
    source.write_text(cpp)
    calls = find_unknown(read_files(folder, "torch-ext/tiny"), [source])
    hello = SimpleNamespace(default=None, overloads=None)
    ops = SimpleNamespace(hello=hello, hello_backward=SimpleNamespace(out=None), sum=hello)
    return find_unregistered(calls, ops, [f"{name}(Tensor x) -> ()" for name in REGISTERED])


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_an_operator_that_nothing_registers_is_found(tmp_path: Path, text: str) -> None:
    (problem,), warnings = find(tmp_path, text)
    assert warnings == []
    assert problem.at.startswith("torch-ext/tiny/__init__.py:")
    fix = "register it, or remove the call" if "quantize" in text else 'did you mean "hello"?'
    if "hello_function" not in text:
        assert problem.fix == fix


@pytest.mark.parametrize("text", WRONG_OVERLOADS.values(), ids=WRONG_OVERLOADS)
def test_an_overload_that_nothing_registers_is_found(tmp_path: Path, text: str) -> None:
    # A function in a variable may never be called.
    (problem,) = itertools.chain(*find(tmp_path, text))
    one = "hello_backward.oot" in problem.found
    assert problem.want.startswith(
        f"one of the overloads of {'hello_backward' if one else 'hello'}:"
    )
    assert problem.fix == ('did you mean "out"?' if one else "register it, or remove the call")


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_name_that_may_be_right_is_left_alone(tmp_path: Path, text: str) -> None:
    assert find(tmp_path, text) == ([], [])


@pytest.mark.parametrize("body", CONDITIONAL.values(), ids=CONDITIONAL)
def test_a_call_that_may_never_run_is_a_warning(tmp_path: Path, body: str) -> None:
    errors, (warning,) = find(tmp_path, f"{IMPORT}def f(x):\n{body}")
    assert errors == []
    assert warning.fix == 'did you mean "hello"?'


DUMP = """\
name: _tiny_1::hello
debug: registered at b.cpp:1
CPU: registered at /variant/__init__.py:9 :: (none) [ boxed ]
CPU (inactive): registered at b.cpp:5 :: (none) [ boxed ]
CUDA: registered at b.cpp:7 :: (none) [ boxed ]
Meta: registered at /variant/__init__.py:3 :: (none) [ boxed ]
Meta (inactive): registered at /variant/__init__.py:2 :: (none) [ boxed ]
AutogradCPU (inactive): registered at other.cpp:3 :: (none) [ boxed ]
CompositeImplicitAutograd[alias]: registered at b.cpp:4 :: (none) [ boxed ]
CompositeImplicitAutograd[alias] (inactive): registered at b.cpp:4 :: (none) [ boxed ]
"""


def test_an_implementation_that_another_replaces_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = SimpleNamespace(_C=SimpleNamespace(_dispatch_dump=lambda _: DUMP))
    monkeypatch.setitem(sys.modules, "torch", torch)
    problems = find_repeated(["_tiny_1::hello"], ["b.cpp"], Place(Path("/variant"), "tiny"))
    assert [(each.at, each.found) for each in problems] == [
        ("b.cpp:5\ntiny/__init__.py:9", "more than one implementation of hello for CPU"),
        ("b.cpp:4", "more than one implementation of hello for CompositeImplicitAutograd"),
    ]


def test_a_macro_may_make_the_name(tmp_path: Path) -> None:
    assert find(tmp_path, f"{IMPORT}def f(x): return ops.hallo(x)\n", MACRO) == ([], [])
