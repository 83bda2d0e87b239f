"""A failed compile says where the kernel has the header that it lacks, and why it was not given."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kernel_builder.kernel.missing_headers import explain_missing_header
from kernel_builder.messages.errors import Problem

LOG = "(the whole log: nix-store --read-log /nix/store/x.drv)"
BUILD = """\
[general]
name = "tiny"

[torch]
src = ["torch-ext/torch_binding.cpp"]

[kernel.a]
backend = "cpu"
include = ["csrc/./include"]
src = ["src/answer.cpp"]
"""
GCC = "{source}:2:10: fatal error: {name}: No such file or directory"
CLANG = "{source}:2:10: fatal error: '{name}' file not found"
CUDAFE = '{source}(2): catastrophic error: cannot open source file "{name}"'


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    files = (
        "common/number.h",
        "third/Mini/Core",
        "src/impl.py",
        "csrc/include/listed.inl",
        ".hidden/x.h",
    )
    for name in (*files, "untracked/other.h"):
        place = tmp_path / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("")
    (tmp_path / "build.toml").write_text(BUILD)
    for words in (["init", "-q"], ["add", "--", "build.toml", *files]):
        subprocess.run(["git", "-C", str(tmp_path), *words], check=True)
    return tmp_path


def explain(folder: Path, text: str, name: str) -> Problem:
    found = text.format(source="src/answer.cpp", name=name)
    problem = Problem("tiny.o", found, "a step that succeeds", f"correct the cause\n{LOG}")
    return explain_missing_header(folder, problem)


@pytest.mark.parametrize("text", [GCC, CLANG, CUDAFE])
@pytest.mark.parametrize(
    ("name", "why", "fix"),
    [
        ("number.h", "common/number.h is there, but neither", 'add "common" to `include`'),
        ("common/number.h", "common/number.h is there, but neither", 'add "." to `include`'),
        ("../number.h", "common/number.h is there, but neither", 'add "common" to `include`'),
        ("Mini/Core", "third/Mini/Core is there, but neither", 'add "third" to `include`'),
        ("Number.h", "common/number.h is there, with other capital letters", "correct the name"),
        (
            "impl.py",
            "src/impl.py is there, but no include in the text",
            'write `#include "impl.py"`',
        ),
        ("listed.inl", "csrc/include/listed.inl is there, but no include", "write `#include"),
    ],
)
def test_a_header_that_was_not_given(
    kernel: Path, text: str, name: str, why: str, fix: str
) -> None:
    problem = explain(kernel, text, name)
    assert problem.found.split("\n")[1].startswith(why)
    assert problem.fix.startswith(fix)
    assert problem.fix.endswith(LOG)


@pytest.mark.parametrize("name", ["nowhere.h", "x.h", "other.h", "..", "umber.h"])
def test_a_header_that_the_build_cannot_have(kernel: Path, name: str) -> None:
    assert explain(kernel, GCC, name).fix == f"correct the cause\n{LOG}"


def test_other_failures_stay(kernel: Path) -> None:
    problem = Problem("x", "src/answer.cpp:2:10: error: expected ';'", "", "")
    assert explain_missing_header(kernel, problem) is problem
