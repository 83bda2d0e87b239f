"""Files that create-pyproject writes; clean-pyproject removes these and no others."""

import json
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.authoring.generate import RECORD, collect_files, write_project
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.nix.quoting import nix_string
from tests.cli.command_line import Cli
from tests.cuda.cuda_kernel import STABLE
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, outputs_of, path_of


def unit(source: str, compiler: str = "g++", **more: Any) -> dict[str, Any]:
    return {
        "source": source,
        "headers": [],
        "compiler": compiler,
        "flags": ["-O3", "-isystem", "@torch@/include", "-isystem", "@python@/include", "-I."],
        **more,
    }


def made(*units: dict[str, Any], **more: Any) -> dict[str, str]:
    """Return the files that Nix writes for a project."""
    project = {
        "kernel": "fast-relu",
        "variant": "torch213-cxx11-cpu-x86_64-linux",
        "torch": "2.13.0",
        "extension": "_fast_relu_cpu_dev",
        "units": list(units),
        "packages": ["python", "torch", "tvm-ffi", "cuda"],
        "linkArguments": ["-L@torch@/lib", "-Wl,--as-needed", "-ltorch", "-lc10"],
        "nameFlags": ["-DEXTENSION_MODULE", "-DEXTENSION_NAME=_fast_relu_cpu_dev"],
        "generatedFolder": ".kernel-builder",
        "registrations": [".kernel-builder/registration.h"],
        "pythonFolder": "torch-ext/fast_relu",
        "file": "_fast_relu_cpu_dev.abi3.so",
        "pythonName": "fast_relu",
        "pythonDepends": ["torch", "einops"],
        "pyext": ["py", "pyi"],
        "version": 3,
        **more,
    }
    function = f"(import {path_of(ROOT)}).packages.{SYSTEM}.projectFiles"
    given = f"(builtins.fromJSON {nix_string(json.dumps(project))})"
    return dict(evaluate(f"{function} {given}"))


def test_the_files() -> None:
    files = made(unit("a.cpp"))
    assert sorted(files) == [
        ".kernel-builder/find.py",
        ".kernel-builder/name.c",
        ".kernel-builder/registration.h",
        "CMakeLists.txt",
        "pyproject.toml",
        "setup.py",
        "torch-ext/fast_relu/_ops.py",
    ]
    assert "torch.ops._fast_relu_cpu_dev" in files["torch-ext/fast_relu/_ops.py"]
    assert 'markers = ["kernels_ci:' in files["pyproject.toml"]
    assert 'dependencies = ["torch","einops"]' in files["pyproject.toml"]
    assert '"*" = ["*.pyi","*.so"]' in files["pyproject.toml"]
    # setuptools knows two ways to write a license; each of them fails with some of its releases.
    assert "license" not in files["pyproject.toml"]
    assert '\n  "-L${torch}/lib"\n  "-Wl,--as-needed"\n' in files["CMakeLists.txt"]
    for name in files:
        assert not (Path(name).suffix == ".py" and compile(files[name], name, "exec") is None)


def test_without_torch() -> None:
    files = made(
        unit("a.cpp", flags=["-isystem", "@tvm-ffi@/include"]),
        pythonFolder="tvm-ffi-ext/fast_relu",
        file="_fast_relu_cpu_dev.so",
        pythonDepends=["einops"],
        linkArguments=["-L@tvm-ffi@/lib", "-ltvm_ffi"],
    )
    assert '"_fast_relu_cpu_dev.so"' in files["tvm-ffi-ext/fast_relu/_ops.py"]
    assert "list(POP_FRONT found tvm_ffi PYTHON)" in files["CMakeLists.txt"]
    assert '"-L${tvm_ffi}/lib"' in files["CMakeLists.txt"]
    assert 'SUFFIX ".so"' in files["CMakeLists.txt"]
    assert '[["tvm_ffi","apache-tvm-ffi","TVM FFI"]]' in files[".kernel-builder/find.py"]
    assert 'dependencies = ["einops"]' in files["pyproject.toml"]
    assert [name for name, text in files.items() if "torch==" in text] == []


def test_one_nvcc_call_for_all_targets() -> None:
    project = evaluate(f"{outputs_of(ROOT / 'examples' / 'capabilities')}.project.{STABLE}")
    plan = evaluate(f"{outputs_of(ROOT / 'examples' / 'capabilities')}.plan.{STABLE}")
    planned = next(unit for unit in plan["units"] if unit["compiler"] == "nvcc")
    passes = [flag for each in planned["device"]["passes"] for flag in each["flags"]]
    (found,) = (unit for unit in project["units"] if unit["source"] == planned["source"])
    assert "-gencode" in passes
    # Without a second try, it has the optional flags from the beginning.
    wanted = [*planned["flags"], *planned["optionalFlags"], *passes]
    assert "--expt-extended-lambda" in wanted
    assert found["flags"][: len(wanted)] == wanted
    text = made(unit("a.cu", "nvcc", flags=found["flags"]))["CMakeLists.txt"]
    assert "  -gencode \\\n  arch=compute_" in text
    assert "set(CMAKE_CUDA_ARCHITECTURES OFF)" in text


def test_a_compiler_that_it_does_not_know() -> None:
    with pytest.raises(NixError, match="units for icpx"):
        made(unit("a.cpp", "icpx"))


def test_only_what_was_written_is_removed(cli: Cli) -> None:
    folder = cli.folder
    (folder / "mine.txt").write_text("mine")
    files = {"CMakeLists.txt": b"a\n", "sub/x.py": b"b\n", "setup.py": b"c\n"}
    assert sorted(write_project(files, folder, overwrite=False)) == sorted(files)
    assert write_project(files, folder, overwrite=False) == []
    (folder / "setup.py").write_text("changed by hand\n")

    done = cli("clean-pyproject")
    assert done.stdout == "2 files removed\n"
    assert done.stderr == "changed since they were made, and kept: setup.py\n"
    assert sorted(path.name for path in folder.iterdir() if path.is_file()) == [
        "mine.txt",
        "setup.py",
    ]
    # A file of that name is the user's from now on.
    (folder / "CMakeLists.txt").write_text("mine")
    assert cli("clean-pyproject", "--dry-run").stdout == "0 files would be removed\n"
    assert cli("clean-pyproject", "--force").stdout == "1 files removed\n"
    assert sorted(path.name for path in folder.iterdir()) == ["CMakeLists.txt", "mine.txt"]


@pytest.mark.parametrize("record", ["{", "[1]", "null"])
def test_a_damaged_record_removes_nothing(cli: Cli, record: str) -> None:
    write_project({"setup.py": b"made"}, cli.folder, overwrite=False)
    (cli.folder / RECORD).write_text(record)
    assert cli("clean-pyproject").stdout == "0 files removed\n"
    assert (cli.folder / "setup.py").exists()


def test_a_file_of_somebody_elses_is_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.ruff]\n")
    with pytest.raises(KernelBuilderError, match=r"pyproject\.toml"):
        write_project(
            {"pyproject.toml": b"made\n", "setup.py": b"made\n"}, tmp_path, overwrite=False
        )
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pyproject.toml"]
    write_project({"pyproject.toml": b"made\n"}, tmp_path, overwrite=True)
    assert (tmp_path / "pyproject.toml").read_text() == "made\n"


def test_a_project_in_another_folder_has_the_sources(tmp_path: Path) -> None:
    sources = {"a.cpp": b"a", "a.h": b"h", "torch-ext/k/x.py": b"x", "tests/t.py": b"t"}
    for name, data in sources.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    project = {
        "files": {"setup.py": "made", "torch-ext/k/_ops.py": "ops"},
        "units": [{"source": "a.cpp", "headers": ["a.h"]}],
        "pyext": ["py"],
        "pythonFolder": "torch-ext/k",
    }
    own = {"setup.py": b"made", "torch-ext/k/_ops.py": b"ops"}
    assert collect_files(project, tmp_path, copies=False) == own
    assert collect_files(project, tmp_path, copies=True) == {**own, **sources}
