"""Registrations outside of the build's namespace are found, and others are not."""

import ast
import json
from pathlib import Path

import pytest
from checking.problem import Problem
from registration_check.__main__ import FUNCTIONS, explain_registration, find_registrations, main

from tests.compliance.registrations import BAD, GOOD, ONLY_AT_IMPORT, ONLY_LATER
from tests.derivation import named
from tests.evaluation import ROOT, build, call, read_variant
from tests.tiny_kernel import TinyKernel


def check(text: str, path: str = "__init__.py") -> list[Problem]:
    return [
        explain_registration(call, name, path, "torch-ext/tiny")
        for call, name in find_registrations(ast.parse(text))
    ]


@pytest.mark.parametrize("case", sorted(BAD.keys() - ONLY_AT_IMPORT))
def test_a_shared_name_is_found(case: str) -> None:
    assert len(check(BAD[case])) == 1


@pytest.fixture(scope="module")
def at_import(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """The registrations that the import check finds, and the exception of the import."""
    folder = tmp_path_factory.mktemp("tiny")
    drv = read_variant(TinyKernel(folder).folder).drv
    python = build(named(drv, "get-kernel-check-python").path) / "bin" / "python3"
    argv = (python, "-B", Path(__file__).parent / "register_all.py")
    environment = {"PYTHONPATH": str(ROOT / "python/src")}
    done = call(*argv, cwd=folder, input=json.dumps({**BAD, **GOOD}), env=environment)
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def test_every_shared_name_stops_the_import(at_import: dict[str, list[str]]) -> None:
    passed = {case for case in BAD if not at_import[case]}
    assert passed == ONLY_LATER


def test_the_line_of_a_shared_name(at_import: dict[str, list[str]]) -> None:
    seen = {case: at_import[case][0] for case in ONLY_AT_IMPORT}
    refused_by_torch = seen.pop("a name with a namespace on a library that is fine")
    assert "does not match" in refused_by_torch
    for case, place in seen.items():
        file, _, line = place.partition(":")
        assert file == "tiny/__init__.py", case
        assert "(" in BAD[case].split("\n")[int(line) - 1], case


def test_an_own_name_is_registered_at_import(at_import: dict[str, list[str]]) -> None:
    places = [place for case in GOOD for place in at_import[case] if place.startswith("tiny/")]
    assert places == []


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_an_own_or_unknown_name_is_left_alone(text: str) -> None:
    assert check(text) == []


MESSAGE = """\
       at     torch-ext/tiny/layers/relu.py:3
       found  torch.library.register_fake('tiny::relu', …)
       want   the namespace of this build; every other build would register 'tiny::relu', too
       fix    write torch.library.register_fake(add_op_namespace_prefix(…), …)
              with `from .._ops import add_op_namespace_prefix`"""


def test_the_message_says_where_what_and_what_to_write() -> None:
    text = 'import torch\n\ntorch.library.register_fake(\n    "tiny::relu")(f)\n'
    (problem,) = check(text, "layers/relu.py")
    assert problem.render() == MESSAGE


def test_the_message_about_a_library() -> None:
    text = 'import torch\nlib = torch.library.Library("tiny", "DEF")\nlib.define("op() -> ()")\n'
    (problem,) = check(text)
    assert problem.at == "torch-ext/tiny/__init__.py:2"
    assert problem.fix == (
        'write torch.library.Library(ops.name, "FRAGMENT")\nwith `from ._ops import ops`'
    )


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
class A:
    @torch.library.register_fake("tiny::op")
    def f(x): ...
def g(x=torch.library.define("tiny::op", "()")): ...
"""


def test_a_registration_in_a_function_is_a_warning(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "__init__.py").write_text(IN_FUNCTIONS)
    assert main([str(tmp_path)]) == 0
    assert "warning: if these functions are called, operators would be" in capsys.readouterr().err
    (tmp_path / "__init__.py").write_text(ON_IMPORT)
    assert main([str(tmp_path)]) == 1
    assert "(2 problems)" in capsys.readouterr().err


# These take the name of an operator that is already registered.
ONLY_LOOK = {"get_kernel", "opcheck"}
OF_OPERATORS = {"name", "op", "op_name", "qualname"}


@pytest.fixture(scope="session")
def library(torch: Path) -> ast.Module:
    """The syntax tree of the module `torch.library`."""
    (file,) = torch.glob("lib/python3*/site-packages/torch/library.py")
    return ast.parse(file.read_text())


def test_every_function_that_registers_is_known(library: ast.Module) -> None:
    functions = [node for node in library.body if isinstance(node, ast.FunctionDef)]
    first = {each.name: [*each.args.posonlyargs, *each.args.args][:1] for each in functions}
    found = {
        name
        for name, parameters in first.items()
        if not name.startswith("_") and {each.arg for each in parameters} & OF_OPERATORS
    }
    # The others are imported from submodules.
    assert found - ONLY_LOOK == FUNCTIONS - {"custom_op", "triton_op"}
