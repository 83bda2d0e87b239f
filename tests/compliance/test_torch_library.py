"""The registration check's table of Torch's functions agrees with Torch's code."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from registration_check.names import LIBRARIES, PARAMETERS

# These take the name of an operator that is already registered.
ONLY_LOOK = {"get_kernel", "opcheck"}
OF_OPERATORS = {"name", "op", "op_name", "qualname"}


@pytest.fixture(scope="session")
def library(torch: Path) -> ast.Module:
    """The syntax tree of the module `torch.library`."""
    (file,) = torch.glob("lib/python3*/site-packages/torch/library.py")
    return ast.parse(file.read_text())


def first_parameters(body: list[ast.stmt]) -> dict[str, str]:
    """Return the public functions that take an operator's name, each with its parameter."""
    found: dict[str, str] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            names = [each.arg for each in [*node.args.posonlyargs, *node.args.args]]
            if names and names[0] in OF_OPERATORS:
                found.setdefault(node.name, names[0])
    return found


def test_every_function_that_registers_is_known(library: ast.Module) -> None:
    found = first_parameters(library.body)
    known = {name: found.get(name) for name in PARAMETERS if name in found}
    assert set(found) - ONLY_LOOK <= set(PARAMETERS)
    assert known == {name: PARAMETERS[name] for name in known}
    # The others are imported from submodules.
    assert set(PARAMETERS) - set(found) == {"custom_op", "triton_op", *LIBRARIES}
