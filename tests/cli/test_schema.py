"""The JSON Schema: it takes the repository's build.toml files and refuses broken ones."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import tomlkit

from tests.cli.command_line import Cli

ROOT = Path(__file__).resolve().parents[2]
FILE = ROOT / "docs" / "reference" / "build-toml.schema.json"
KERNELS = sorted(
    file
    for folder in (
        "examples",
        "tests/compliance",
        "tests/cuda",
        "tests/golden",
        "tests/unit/kernels",
    )
    for file in (ROOT / folder).glob("*/build.toml")
)

GOOD = """\
[general]
name = "relu"
backends = ["cuda"]

[torch]
src = ["torch-ext/torch_binding.cpp"]
stable-abi = { cuda = "2.11" }

[kernel.relu]
backend = "cuda"
depends = ["torch"]
src = ["relu.cu"]
cuda-capabilities = ["9.0a", "12.0+PTX"]
"""


@pytest.fixture(scope="module")
def validator() -> Any:
    schema = json.loads(FILE.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def errors_of(validator: Any, text: str) -> list[Any]:
    return list(validator.iter_errors(tomlkit.parse(text).unwrap()))


def test_command_prints_the_file(cli: Cli) -> None:
    done = cli("schema")
    assert (done.status, done.stderr) == (0, "")
    assert done.stdout == FILE.read_text()


@pytest.mark.parametrize("file", KERNELS, ids=lambda file: file.parent.name)
def test_kernels_are_valid(validator: Any, file: Path) -> None:
    assert errors_of(validator, file.read_text()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param('name = "relu"', 'name = "Relu"', id="name"),
        pytest.param('["cuda"]', '["cudaa"]', id="backend"),
        pytest.param("[general]\n", "[general]\nlicence = 'MIT'\n", id="unknown key"),
        pytest.param("[general]\n", "[general]\nhub.repo-id = 'relu'\n", id="repository"),
        pytest.param("[general]\n", "[general]\ncuda.minver = 'twelve'\n", id="version"),
        pytest.param('"2.11"', "2.11", id="stable ABI"),
        pytest.param("[torch]", "[tvm-ffi]", id="key of another framework"),
        pytest.param("[torch]", "[torch-noarch]\n[torch]", id="two frameworks"),
        pytest.param('"9.0a"', '"9"', id="capability"),
        pytest.param("[kernel.relu]\n", "[kernel.relu]\nrocm-archs = []\n", id="other backend"),
    ],
)
def test_bad(validator: Any, old: str, new: str) -> None:
    assert errors_of(validator, GOOD) == []
    assert old in GOOD
    assert errors_of(validator, GOOD.replace(old, new)) != []


def test_compiled_code_without_framework(validator: Any) -> None:
    text = '[general]\nname = "relu"\nbackends = ["cuda"]\n[torch-noarch]\n'
    assert errors_of(validator, text) == []
    component = "[kernel.relu]\nbackend = 'cuda'\ndepends = []\nsrc = ['a.cu']\n"
    assert errors_of(validator, text + component) != []
