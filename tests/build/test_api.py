"""The Python API with a real kernel: `_ops.py` and the import check."""

import json
import shutil
from pathlib import Path

import pytest

import kernel_builder


def test_ops_are_what_the_build_writes(built: Path) -> None:
    name = json.loads((built / "metadata.json").read_text())["id"]
    assert kernel_builder.render_ops(name, f"{name}.abi3.so") == (built / "_ops.py").read_text()
    with pytest.raises(ValueError, match='no framework "jax"'):
        kernel_builder.render_ops(name, None, framework="jax")


def test_import(built: Path, tmp_path: Path) -> None:
    assert kernel_builder.check_import(built) == ["answer() -> int"]
    broken = tmp_path / "broken"
    shutil.copytree(built, broken)
    (broken / "__init__.py").chmod(0o644)
    (broken / "__init__.py").write_text("import nothing_of_this_name\n")
    with pytest.raises(kernel_builder.KernelBuilderError) as raised:
        kernel_builder.check_import(broken)
    assert "nothing_of_this_name" in str(raised.value)
