"""Failures because of files that git hides or that `include` lacks: the reason, with a way out."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel_builder import nix
from kernel_builder.kernel import hidden_files
from kernel_builder.kernel.missing_headers import explain_missing_header
from kernel_builder.messages.errors import Problem
from kernel_builder.nix.advisories import Number, Release
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel

MISSING = Problem("torch.src[0]", '"NAME", which does not exist', "a file", "git add -N NAME")
COMPILE = Problem("a.o", "a.cpp:2:10: fatal error: lib/n.h: No such file or directory", "", "log")


def run_git(folder: Path, *words: str) -> None:
    settings = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "protocol.file.allow=always"]
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null"}
    subprocess.run(
        ["git", "-C", str(folder), *settings, *words],
        check=True, capture_output=True, env=environment,
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a clean repository with a folder of sources."""
    return make_repository(tmp_path / "sources")


@pytest.fixture
def flake(kernel: FakeKernel) -> Path:
    """Return such a repository with the flake of a kernel."""
    kernel.add("a-cpu")
    return make_repository(kernel.write())


def make_repository(folder: Path) -> Path:
    (folder / "src" / "lib").mkdir(parents=True)
    (folder / "src" / "lib" / "n.h").write_text("#define N 1\n")
    (folder / ".gitattributes").write_text("")
    run_git(folder, "init", "-q")
    commit(folder)
    return folder


def commit(folder: Path) -> None:
    run_git(folder, "add", "-A")
    run_git(folder, "commit", "-qm", "one", "--allow-empty")


def missing(name: str) -> Problem:
    return Problem(*(each.replace("NAME", name) for each in vars(MISSING).values() if each))


def explain(folder: Path, name: str) -> Problem:
    problem = missing(name)
    (explained,) = hidden_files.explain_problems(folder, problem.render(), [problem])
    return explained


def ignore(folder: Path, pattern: str) -> None:
    (folder / ".gitignore").write_text(f"{pattern}\n")
    run_git(folder, "rm", "-rq", "--cached", "src")
    commit(folder)


@pytest.mark.parametrize("name", ["src/lib/n.h", "src/lib"])
def test_an_ignored_file_is_not_to_be_added_without_force(folder: Path, name: str) -> None:
    ignore(folder, "lib/")
    explained = explain(folder, name)
    assert "git ignores it (.gitignore:1:lib/)" in explained.found
    command, _, _ = explained.fix.partition(", or ")
    assert command == f"git -C {folder} add -N -f -- {name}"
    subprocess.run(command, shell=True, check=True, capture_output=True)
    # Now git knows it, and nothing is left to explain.
    assert explain(folder, name) == missing(name)


@pytest.mark.parametrize(("version", "needs"), [((2, 8, 0), "Nix 2.27"), ((2, 30, 1), "`inputs.")])
@pytest.mark.parametrize("is_there", [True, False])
def test_a_file_of_a_submodule(
    folder: Path, tmp_path: Path, version: Number, needs: str, is_there: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    module = tmp_path / "module"
    module.mkdir()
    run_git(module, "init", "-q")
    (module / "n.h").write_text("")
    commit(module)
    run_git(folder, "submodule", "add", str(module), "third/mini")
    if not is_there:
        shutil.rmtree(folder / "third" / "mini")
        (folder / "third" / "mini").mkdir()
    monkeypatch.setattr(nix, "release", lambda: Release("Nix", version))
    explained = explain(folder, "third/mini/n.h")
    assert "the git submodule third/mini" in explained.found
    assert "git add" not in explained.fix
    assert needs in explained.fix


def test_a_newer_attribute_of_the_flake(cli: Cli, flake: Path) -> None:
    text = (flake / "flake.nix").read_text()
    (flake / "flake.nix").write_text(text.replace("{", "{\n  inputs.self.submodules = true;", 1))
    done = cli("list-variants", str(flake))
    if hidden_files._has_release(hidden_files.READS_SUBMODULES):
        assert done.status == 0, done.stderr
        return
    assert done.stderr.startswith("error: flake.nix is written for a newer Nix (1 problem)")
    assert f"at     {flake}/flake.nix:2\n" in done.stderr
    assert "fix    use Nix 2.27 or newer" in done.stderr


@pytest.mark.parametrize("how", ["ignored", "untracked"])
def test_a_header_that_a_compile_misses(folder: Path, how: str) -> None:
    assert hidden_files.explain_failure(folder, COMPILE) == COMPILE
    run_git(folder, "rm", "-rq", "--cached", "src")
    if how == "ignored":
        ignore_all = folder / ".gitignore"
        ignore_all.write_text("lib/\n")
    explained = hidden_files.explain_failure(folder, COMPILE)
    assert "src/lib/n.h is" in explained.found
    assert explained.fix.startswith(f"git -C {folder} add -N")
    assert explained.fix.endswith("\nlog")
    other = Problem("a.o", "error: 'x' was not declared", "", "log")
    assert hidden_files.explain_failure(folder, other) == other


def test_a_source_that_is_a_pointer(folder: Path) -> None:
    problem = Problem("a.o", "src/a.cu:1:1: error: 'version' does not name a type", "", "log")
    (folder / "src" / "a.cu").write_text("int a;\n")
    assert hidden_files.explain_failure(folder, problem) == problem
    (folder / "src" / "a.cu").write_bytes(hidden_files.POINTER + b"v1\n")
    explained = hidden_files.explain_failure(folder, problem)
    assert "src/a.cu is a pointer of Git LFS" in explained.found
    assert explained.fix == "git lfs pull\nlog"


@pytest.mark.parametrize("is_nvcc", [False, True])
def test_a_header_above_the_kernel(folder: Path, is_nvcc: bool) -> None:
    said = "src/a.cpp:2:10: fatal error: ../../common/n.h: No such file or directory"
    if is_nvcc:
        said = 'src/a.cpp(2): error: cannot open source file "../../common/n.h"'
    problem = Problem("a.o", said, "", "log")
    assert hidden_files.explain_failure(folder, problem) == problem
    (folder.parent / "common").mkdir()
    (folder.parent / "common" / "n.h").touch()
    explained = hidden_files.explain_failure(folder, problem)
    assert f"{folder.parent}/common/n.h is there, but not in the kernel's folder" in explained.found
    assert explained.fix == f"put it into {folder}\nlog"


def test_a_repository_of_another_user(cli: Cli, flake: Path, programs: Callable[..., str]) -> None:
    git = shutil.which("git")
    script = f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"\n'
    place = programs([], {"git": script})
    done = cli("list-variants", str(flake), PATH=f"{place}:{os.environ['PATH']}")
    assert done.status == 1
    assert f"at     {flake}\n       found  fatal: detected dubious ownership" in done.stderr
    assert f"git config --global --add safe.directory {flake}" in done.stderr


def warn(cli: Cli, folder: Path) -> str:
    said = cli("build", "--dry-run", str(folder))
    assert said.status == 0, said.stderr
    return said.stderr


@pytest.mark.parametrize(
    ("attribute", "version", "is_told"),
    [
        ("src/lib/n.h export-ignore", (2, 8, 0), True),
        ("lib/ export-ignore", (2, 8, 0), True),
        ("n.h export-subst", (2, 8, 0), True),
        ("n.h export-ignore", (2, 30, 0), False),
        ("n.h -export-ignore", (2, 8, 0), False),
        ("n.h text", (2, 8, 0), False),
        ("n.h eol=lf", (2, 8, 0), False),
    ],
)
def test_attributes_of_archives(
    folder: Path, attribute: str, version: Number, is_told: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (folder / ".gitattributes").write_text(f"{attribute}\n")
    monkeypatch.setattr(nix, "release", lambda: Release("Nix", version))
    found = [*hidden_files.find_changed(folder)]
    assert bool(found) == is_told
    assert all("Nix 2.8" in each.found and "lib" in each.at for each in found)


def test_a_filter_of_the_repository(cli: Cli, flake: Path) -> None:
    assert "git changes" not in warn(cli, flake)
    (flake / ".gitattributes").write_text("*.h filter=lfs\n")
    # A filter without a program changes nothing, also not in an edited file.
    (flake / "src" / "lib" / "n.h").write_text("#define N 3\n")
    assert "git changes" not in warn(cli, flake)
    run_git(flake, "config", "filter.lfs.clean", "echo a pointer")
    (flake / "src" / "lib" / "n.h").write_text("#define N 2\n")
    commit(flake)
    said = warn(cli, flake)
    assert "at     src/lib/n.h\n       found  filter=lfs: git stores other bytes" in said


@pytest.mark.parametrize(
    ("attribute", "text", "is_told"),
    [
        ("eol=crlf", "a\r\n", True),
        ("eol=lf", "a\n", False),
        ("ident", "$Id: x $\n", True),
        ("ident", "a\n", False),
        ("working-tree-encoding=UTF-16LE", "a\n", True),
    ],
)
def test_conversions_of_git_itself(folder: Path, attribute: str, text: str, is_told: bool) -> None:
    (folder / ".gitattributes").write_text(f"*.h {attribute}\n")
    header = folder / "src" / "lib" / "n.h"
    header.write_bytes(text.encode("utf-16-le" if "UTF-16" in attribute else "ascii"))
    commit(folder)
    # An edit is no conversion.
    header.write_bytes(header.read_bytes() * 2)
    found = [*hidden_files.find_changed(folder)]
    assert [each.at for each in found] == ["src/lib/n.h"] * is_told


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
def headers(tmp_path: Path) -> Path:
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


def explain_header(folder: Path, text: str, name: str) -> Problem:
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
    headers: Path, text: str, name: str, why: str, fix: str
) -> None:
    problem = explain_header(headers, text, name)
    assert problem.found.split("\n")[1].startswith(why)
    assert problem.fix.startswith(fix)
    assert problem.fix.endswith(LOG)
