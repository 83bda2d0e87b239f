"""Backends without a component: Python code alone, built, checked and imported."""

import json
from pathlib import Path

import pytest

from tests.build.running import ask_python
from tests.evaluation import build, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

ANSWER = "def answer() -> int:\n    return 42\n"
FOR_CUDA = BUILD.replace('["cpu"]', '["cpu", "cuda"]').replace('"cpu"\nd', '"cuda"\nd')
WITHOUT_SECTIONS = BUILD.partition("[kernel.answer]")[0]


@pytest.mark.parametrize("build_toml", [FOR_CUDA, WITHOUT_SECTIONS], ids=["cuda only", "none"])
def test_it_is_built_as_python_code(tmp_path: Path, build_toml: str) -> None:
    files = {"build.toml": build_toml, "torch-ext/tiny/__init__.py": ANSWER}
    tiny = TinyKernel(tmp_path / "tiny", files)
    variant = read_variant(tiny.folder, "torch-cpu")
    assert variant.objects == {}
    assert variant.plan["link"] is None
    built = build(variant.drv)
    assert not list(built.rglob("*.so"))
    assert json.loads((built / "metadata.json").read_text())["backend"] == {"type": "cpu"}
    assert ask_python("import tiny; print(tiny.answer())", home=tmp_path, path=built) == "42"
