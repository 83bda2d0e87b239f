"""Names of operators in Python files are compared with the operators of a variant."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_builder.import_check.operator_names import find_misspelled

OPERATORS = [
    "hello(Tensor! out, Tensor x) -> ()",
    "hello_backward.out(Tensor x) -> Tensor",
    "sum(Tensor x) -> int",
]
IMPORT = "from ._ops import ops\n"

WRONG = {
    "a function": f"{IMPORT}def hello(x):\n    return ops.hallo(x)\n",
    "a public function": f"{IMPORT}__all__ = ['hello']\ndef hello(x):\n    return ops.hallo(x)\n",
    "under another name": "from ._ops import ops as o\ndef hello(x): return o.helo(x)\n",
    "from a folder below": "from .._ops import ops\nhello = lambda x: ops.hello_(x)\n",
    "under a condition": f"{IMPORT}def hello(x, out=None):\n    if x:\n        ops.hallo(x)\n",
    "with a fake": (
        "from ._ops import add_op_namespace_prefix as p, ops\nimport torch\n"
        "@torch.library.register_fake(p('hello'))\ndef f(x): ...\n"
        "def hello(x): return ops.hallo.default(x)\n"
    ),
}
RIGHT = {
    "the right name": f"{IMPORT}def hello(x): return ops.hello(x)\n",
    "an overload": f"{IMPORT}def f(x): return ops.hello_backward.out(x)\n",
    "a wrapper of what another backend has": f"{IMPORT}def f(x): return ops.quantize(x)\n",
    "a name that C++ has for another backend": f"{IMPORT}def f(x): return ops.hello_rocm(x)\n",
    "a neighbour of an operator that is used": (
        f"{IMPORT}def f(x): return ops.hello_v2(ops.hello(ops.hello_backward(x)))\n"
    ),
    "in try": f"{IMPORT}try:\n    f = ops.hallo\nexcept AttributeError:\n    f = None\n",
    "with hasattr": f"{IMPORT}f = ops.hallo if hasattr(ops, 'hallo') else None\n",
    "registered by a function": (
        f"{IMPORT}def late(p): torch.library.custom_op(p('hallo'))(g)\n"
        "def f(x): return ops.hallo(x)\n"
    ),
    "chosen by a variable": (
        f"{IMPORT}def f(n): return getattr(ops, n)\ndef g(x): return ops.hallo(x)\n"
    ),
    "other ops": "from .mine import ops\ndef f(x): return ops.hallo(x)\n",
    "ops of Torch": "import torch\ndef f(x): return torch.ops.aten.hallo(x)\n",
    "ops that are bound again": f"{IMPORT}ops = wrap(ops)\ndef f(x): return ops.hallo(x)\n",
    "ops of a parameter": f"{IMPORT}def f(ops, x): return ops.hallo(x)\n",
    "ops of a fallback": (
        "try:\n    from ._ops import ops\nexcept ImportError:\n    import mine as ops\n"
        "def f(x): return ops.hallo(x)\n"
    ),
    "the namespace": f"{IMPORT}NAME = ops.name\n",
}


def find(tmp_path: Path, text: str) -> list[str]:
    folder = tmp_path / "variant"
    folder.mkdir()
    (folder / "__init__.py").write_text(text)
    source = tmp_path / "torch_binding.cpp"
    source.write_text('#ifdef ROCM_KERNEL\nops.def("hello_rocm(Tensor x) -> ()");\n#endif\n')
    found = find_misspelled(folder, "torch-ext/tiny", OPERATORS, [str(source)])
    return [each.render() for each in found]


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_misspelled_operator_is_found(tmp_path: Path, text: str) -> None:
    (problem,) = find(tmp_path, text)
    assert 'did you mean "hello"?' in problem


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_name_that_may_be_right_is_left_alone(tmp_path: Path, text: str) -> None:
    assert find(tmp_path, text) == []


def test_the_message(tmp_path: Path) -> None:
    assert find(tmp_path, f"{IMPORT}\n\ndef f(x):\n    return ops.hallo(x)\n") == [
        """\
       at     torch-ext/tiny/__init__.py:5
       found  ops.hallo, which neither C++ nor Python registers
       want   one of the operators of this kernel: hello, hello_backward, sum
       fix    did you mean "hello"?"""
    ]
