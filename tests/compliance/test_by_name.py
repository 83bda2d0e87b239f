"""A build can be imported by its name, even if the kernel has a module of that name."""

import sys
from pathlib import Path

import pytest

from tests.compliance.checking_programs import BY_NAME
from tests.evaluation import call

# The ways in which old and current clients import it.
BY_PATH = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location("tiny_0123", "__init__.py")
module = importlib.util.module_from_spec(spec)
sys.modules["tiny_0123"] = module
spec.loader.exec_module(module)
"""
IMPORTS = {"by name": "import tiny as module", "by path": BY_PATH}


@pytest.fixture
def build(tmp_path: Path) -> Path:
    (tmp_path / "tiny").mkdir()
    (tmp_path / "tiny/__init__.py").write_text(BY_NAME.read_text())
    (tmp_path / "layers.py").write_text("one = 1\n")
    (tmp_path / "__init__.py").write_text("from .layers import one\n")
    return tmp_path


def run(build: Path, code: str) -> str:
    return call(sys.executable, "-B", "-W", "error", "-c", code, cwd=build).stdout


@pytest.mark.parametrize("way", IMPORTS)
def test_it_stands_for_the_build(build: Path, way: str) -> None:
    code = f"{IMPORTS[way]}\nprint(module.one, module.layers.__file__)"
    assert run(build, code).split() == ["1", str(build / "layers.py")]


@pytest.mark.parametrize("way", IMPORTS)
def test_the_kernels_own_module_of_the_name_is_what_the_build_imports(
    build: Path, way: str
) -> None:
    (build / "tiny.py").write_text("from .layers import one\ntwo = one + 1\n")
    (build / "__init__.py").write_text("from .tiny import two\nfrom . import tiny as own\n")
    code = f"{IMPORTS[way]}\nprint(module.two, module.tiny is module.own, module.own.__file__)"
    assert run(build, code).split() == ["2", "True", str(build / "tiny.py")]
