"""Spellings of registrations outside of the build's own namespace, and those that are fine."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest
from checking.problem import Problem
from registration_check.__main__ import main
from registration_check.rules import Module, find_problems

from tests.compliance.registrations import BAD, GOOD


def check(files: Mapping[str, str] | str) -> list[Problem]:
    if isinstance(files, str):
        files = {"__init__.py": files}
    modules = [Module(path, text, ast.parse(text)) for path, text in files.items()]
    later = find_problems(modules, "torch-ext/tiny", in_functions=True)
    return [*find_problems(modules, "torch-ext/tiny"), *later]


@pytest.mark.parametrize("text", BAD.values(), ids=BAD)
def test_a_shared_name_is_found(text: str) -> None:
    assert len(check(text)) == 1


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_an_own_or_unknown_name_is_left_alone(text: str) -> None:
    assert check(text) == []


MESSAGE = """\
       at     torch-ext/tiny/layers/relu.py:4
       found  torch.library.register_fake( OP)
              whose name is 'tiny::relu'
       want   a name in the namespace of this build, from add_op_namespace_prefix
       fix    write torch.library.register_fake(add_op_namespace_prefix("relu"), …)
              with `from .._ops import add_op_namespace_prefix`"""


def test_the_message_says_where_what_and_what_to_write() -> None:
    text = 'import torch\nOP = "tiny::relu"\n\ntorch.library.register_fake(\n    OP)(f)\n'
    (problem,) = check({"layers/relu.py": text})
    assert str(problem) == MESSAGE


def test_the_message_about_a_library_and_what_is_registered_on_it() -> None:
    text = """\
import torch
lib = torch.library.Library("tiny", "DEF")
lib.define("op(Tensor x) -> Tensor")
lib.impl("op", f, "CPU")
lib._register_fake("op", f)
torch.library.impl(lib, "op", "CPU")(f)
torch.library.define(lib, "op2(Tensor x) -> Tensor")
"""
    problems = check(text)
    assert [problem.at for problem in problems] == [
        f"torch-ext/tiny/__init__.py:{line}" for line in range(2, 8)
    ]
    assert problems[0].fix == (
        'write torch.library.Library(ops.name, "FRAGMENT")\nwith `from ._ops import ops`'
    )
    assert "on a library with the namespace 'tiny'" in problems[1].found


def test_names_and_functions_of_other_modules_are_followed() -> None:
    files = {
        "__init__.py": (
            "from .names import OP\nfrom . import names\nfrom .compat import fake\n"
            "import torch\n"
            "torch.library.register_fake(OP)(f)\ntorch.library.register_fake(names.OP)(f)\n"
            'fake("tiny::op")(f)\n'
        ),
        "names.py": 'OP = "tiny::op"\n',
        "compat/__init__.py": "from torch.library import register_fake as fake\n",
        "layers/deep.py": (
            "from ..names import OP\nfrom torch.library import register_fake as r\nr(OP)(f)\n"
        ),
    }
    assert [problem.at for problem in check(files)] == [
        "torch-ext/tiny/__init__.py:5",
        "torch-ext/tiny/__init__.py:6",
        "torch-ext/tiny/__init__.py:7",
        "torch-ext/tiny/layers/deep.py:3",
    ]


def test_names_that_go_round_in_circles_end() -> None:
    files = {
        "a.py": "from .b import X\nimport torch\ntorch.library.register_fake(X)(f)\n",
        "b.py": "from .a import X\n",
    }
    assert check(files) == []
    assert check("import torch\nX = X + 'a'\ntorch.library.register_fake(X)(f)") == []


def test_names_that_are_bound_again_and_again_cost_little() -> None:
    steps = "\n".join(f"    x = x.view({number}) + x.sum()" for number in range(200))
    assert check(f"def f(x):\n{steps}\n    return x\n") == []


IN_FUNCTIONS = """
import torch
def go(name):
    try:
        torch.library.register_fake(f"tiny::{name}")(f)
    except RuntimeError:
        pass
"""
ON_IMPORT = """
import torch
try:
    class A:
        @torch.library.register_fake("tiny::op")
        def f(x): ...
except RuntimeError:
    pass
def g(x=torch.library.define("tiny::op", "()")): ...
"""


def lines_of(text: str, *, in_functions: bool) -> list[int]:
    modules = [Module("__init__.py", text, ast.parse(text))]
    found = find_problems(modules, "tiny", in_functions=in_functions)
    return [int(problem.at.split(":")[1]) for problem in found]


def test_what_a_function_would_do_is_told_apart() -> None:
    assert lines_of(IN_FUNCTIONS, in_functions=False) == []
    assert lines_of(IN_FUNCTIONS, in_functions=True) == [5]
    assert lines_of(ON_IMPORT, in_functions=False) == [5, 9]
    assert lines_of(ON_IMPORT, in_functions=True) == []


def test_a_registration_in_a_function_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "__init__.py").write_text(IN_FUNCTIONS)
    assert main([str(tmp_path)]) == 0
    assert "warning: if these functions are called, operators would be" in capsys.readouterr().err
    (tmp_path / "__init__.py").write_text(ON_IMPORT)
    assert main([str(tmp_path)]) == 1
