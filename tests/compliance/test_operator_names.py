"""Names of operators in Python files are compared with the operators of a variant."""

from __future__ import annotations

from pathlib import Path

import pytest

from kernel_builder.import_check.problems import Place, find_misspelled

OPERATORS = [
    "hello(Tensor! out, Tensor x) -> ()",
    "hello_backward.out(Tensor x) -> Tensor",
    "sum(Tensor x) -> int",
]
IMPORT = "from ._ops import ops\n"

WRONG = {
    "a public function": f"{IMPORT}__all__ = ['h']\ndef hello(x):\n    return ops.hallo(x)\n",
    "from a folder below": "from .._ops import ops\nhello = lambda x: ops.hello_(x)\n",
    "with a fake": (
        "from ._ops import add_op_namespace_prefix as p, ops\n"
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
    "with hasattr": f"{IMPORT}f = ops.hallo if hasattr(ops, 'hallo') else None\n",
    "registered by a function": (
        f"{IMPORT}def late(p): torch.library.custom_op(p('hallo'))(g)\n"
        "def f(x): return ops.hallo(x)\n"
    ),
    "other ops": "from .mine import ops\ndef f(x): return ops.hallo(x)\n",
    "ops of Torch": "import torch\ndef f(x): return torch.ops.aten.hallo(x)\n",
    "the namespace": f"{IMPORT}NAME = ops.name\n",
}


def find(tmp_path: Path, text: str) -> list[str]:
    folder = tmp_path / "variant"
    folder.mkdir()
    (folder / "__init__.py").write_text(text)
    source = tmp_path / "torch_binding.cpp"
    source.write_text('#ifdef ROCM_KERNEL\nops.def("hello_rocm(Tensor x) -> ()");\n#endif\n')
    found = find_misspelled(Place(folder, "torch-ext/tiny"), OPERATORS, [str(source)])
    return [each.render() for each in found]


@pytest.mark.parametrize("text", WRONG.values(), ids=WRONG)
def test_a_misspelled_operator_is_found(tmp_path: Path, text: str) -> None:
    (problem,) = find(tmp_path, text)
    assert 'did you mean "hello"?' in problem


@pytest.mark.parametrize("text", RIGHT.values(), ids=RIGHT)
def test_a_name_that_may_be_right_is_left_alone(tmp_path: Path, text: str) -> None:
    assert find(tmp_path, text) == []
