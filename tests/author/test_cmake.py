"""A real CMake passes the flags of a project to the compiler as they are, and runs nothing else."""

import json
import os
import sys
from pathlib import Path

import pytest

from tests.evaluation import (
    ROOT,
    SYSTEM,
    VARIANT,
    NixError,
    build,
    call,
    evaluate,
    outputs_of,
    path_of,
)
from tests.tiny_kernel import BUILD, TinyKernel, write_files

PACKAGES = f"(import {path_of(ROOT)}).packages.{SYSTEM}"

# Texts that mean something to a shell, CMake's language, its lists and its expressions.
FLAGS = [
    '-DA="a b"',
    '-DB="a;b"',
    r'-DC="a\\nb"',
    '-DD="$x${y}"',
    "-D",
    "OTHER=7",
    "-DE(x)=(*(x))",
    "-DF=$<1:2>",
    "-DG='q'",
    r"-DH=a\;b",
    "-DI=[x;y",
    "-DJ=$ENV{HOME}",
    "-DK=@HOME@",
    "-DL=#x",
    "-DM=`touch pwned`",
    "-DN=$(touch pwned)",
    "-DO=%PATH%",
    "-DP=\\",
    r'-DQ="\""',
    "-DR=$",
    "-DS=$$<",
    "-DT=$<SEMICOLON>;$<1:x>",
    '-DU=${X}")execute_process(COMMAND touch pwned)set(Y "',
    "-DV= lead and trail ",
    "-DW=[[x]]]==]",
    "-DX=&&|*?~!",
    "-DY=\u00fc\t",
    "-DZ=@cuda@",
    "-I/usr/include",
]
SOURCES = [
    "answer/a b.cpp",
    "answer/$x${y}.cpp",
    "answer/a'b.cpp",
    "answer/(a)[b].cpp",
    "answer/@a@#.cpp",
]
# Stands for the compiler: keeps its arguments, and makes an empty object.
COMPILER = r"""#!/bin/sh
for word; do
  [ "$last" != -o ] || : >"$word"
  last=$word
done
case " $* " in *" -c "*) printf '%s\0' "$@" "" >>LOG ;; esac
"""


@pytest.fixture(scope="module")
def programs() -> str:
    """The PATH with the CMake and the Ninja of a shell."""
    found = []
    for name in ("cmake", "ninja"):
        package = build(evaluate(f"{PACKAGES}.pythonPackages.{name}.drvPath"))
        found += [str(path.parent) for path in package.rglob(f"data/bin/{name}")]
        found += [str(path.parent) for path in package.rglob(f"bin/{name}")]
    return os.pathsep.join([*found, os.environ["PATH"]])


def write_project(folder: Path) -> None:
    project = f"{outputs_of(folder)}.project.{VARIANT}"
    write_files(folder, evaluate(f"{PACKAGES}.projectFiles {project}"))


def compile_with_cmake(folder: Path, programs: str, units: int) -> list[list[str]]:
    """Return the arguments of the compiler for each unit."""
    log, compiler, made = folder / "log", folder / "compiler", folder / "made"
    log.write_text("")
    compiler.write_text(COMPILER.replace("LOG", str(log)))
    compiler.chmod(0o755)
    options = [f"-DCMAKE_{name}_COMPILER={compiler}" for name in ("C", "CXX")]
    options += [f"-DCMAKE_{name}_COMPILER_FORCED=ON" for name in ("C", "CXX")]
    options += [f"-DCMAKE_{name}_COMPILER_ID_RUN=ON" for name in ("C", "CXX")]
    options += [f"-DPython_EXECUTABLE={sys.executable}"]
    targets = [word for number in range(units) for word in ("--target", f"unit{number}")]
    for argv in (
        ["cmake", "-S", str(folder), "-B", str(made), "-G", "Ninja", *options],
        ["cmake", "--build", str(made), *targets],
    ):
        call(*argv, cwd=folder, env={**os.environ, "PATH": programs})
    assert not [*folder.rglob("pwned")]
    return [unit.split("\0") for unit in log.read_text().split("\0\0") if unit]


def test_flags_reach_the_compiler_as_written(tmp_path: Path, programs: str) -> None:
    flags = f"cxx-flags = {json.dumps(FLAGS)}\n"
    folder = TinyKernel(tmp_path / "tiny", {"build.toml": BUILD + flags}).folder
    write_project(folder)
    units = compile_with_cmake(folder, programs, 2)
    (seen,) = (words for words in units if FLAGS[0] in words)
    begin = seen.index(FLAGS[0])
    assert seen[begin : begin + len(FLAGS)] == FLAGS


def test_names_of_sources_are_kept(tmp_path: Path, programs: str) -> None:
    sources = json.dumps(["answer/answer.cpp", *SOURCES])
    text = BUILD.replace('["answer/answer.cpp"]', sources)
    files = {"build.toml": text, **dict.fromkeys(SOURCES, "")}
    folder = TinyKernel(tmp_path / "tiny", files).folder
    write_project(folder)
    units = compile_with_cmake(folder, programs, len(SOURCES) + 2)
    assert {words[-1] for words in units} >= {str(folder / name) for name in SOURCES}


@pytest.mark.parametrize("name", ["a;b", "$<1:2>", r"a\b", 'a"b'])
def test_names_that_cmake_cannot_keep_are_refused(tmp_path: Path, name: str) -> None:
    sources = json.dumps([f"answer/{name}.cpp"])
    text = BUILD.replace('["answer/answer.cpp"]', sources)
    tiny = TinyKernel(tmp_path / "tiny", {"build.toml": text, f"answer/{name}.cpp": ""})
    with pytest.raises(NixError, match="no project can be written"):
        write_project(tiny.folder)
