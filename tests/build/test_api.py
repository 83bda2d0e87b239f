"""The Python API with a real kernel: its variants, a build, `_ops.py` and the import check."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import kernel_builder
from tests.evaluation import SYSTEM
from tests.tiny_kernel import TinyKernel

VARIANT = f"torch213-cxx11-cpu-{SYSTEM}"


def test_a_kernel(tiny: TinyKernel) -> None:
    assert VARIANT in kernel_builder.find_variants(tiny.folder)
    found = kernel_builder.check_kernel(tiny.folder, operators=True)
    assert found["name"] == "tiny"
    assert VARIANT in found["variants"]
    report = kernel_builder.build_variants(tiny.folder, variants=[VARIANT])
    assert [row["variant"] for row in report.as_data()["variants"]] == [VARIANT]
    assert (tiny.folder / "result" / VARIANT / "metadata.json").is_file()


def test_a_wrong_kernel(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text("x = = 1")
    with pytest.raises(kernel_builder.KernelBuilderError) as raised:
        kernel_builder.check_kernel(tmp_path)
    assert [problem.line for problem in raised.value.problems] == [1]


def test_settings_end_with_the_call(tiny: TinyKernel, capfd: pytest.CaptureFixture[str]) -> None:
    verbose = kernel_builder.Settings(verbosity=2)
    kernel_builder.find_variants(tiny.folder, settings=verbose)
    assert "+ nix " in capfd.readouterr().err
    kernel_builder.find_variants(tiny.folder)
    assert capfd.readouterr().err == ""


def test_ops_are_what_the_build_writes(built: Path) -> None:
    name = json.loads((built / "metadata.json").read_text())["id"]
    assert kernel_builder.render_ops(name, f"{name}.abi3.so") == (built / "_ops.py").read_text()
    with pytest.raises(kernel_builder.KernelBuilderError, match="no such framework"):
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
