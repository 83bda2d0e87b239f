"""The registration check's table of Torch's functions agrees with Torch's code."""

import ast
from pathlib import Path

import pytest
from registration_check.__main__ import FUNCTIONS

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
