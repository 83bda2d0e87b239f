"""Files that a build does not see: the reason, from git if it hides them, and a way out."""

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from kernel_builder.kernel import hidden_files
from kernel_builder.messages.errors import Problem
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.tiny_kernel import commit_all, git

MISSING = Problem("torch.src[0]", '"NAME", which does not exist', "a file", "git add -N NAME")
COMPILE = Problem("a.o", "a.cpp:2:10: fatal error: lib/n.h: No such file or directory", "", "log")


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
    commit_all(folder)
    return folder


def missing(name: str) -> Problem:
    return Problem(*(each.replace("NAME", name) for each in vars(MISSING).values() if each))


def explain(folder: Path, name: str) -> Problem:
    problem = missing(name)
    (explained,) = hidden_files.explain_problems(folder, problem.render(), [problem])
    return explained


def ignore(folder: Path, pattern: str) -> None:
    (folder / ".gitignore").write_text(f"{pattern}\n")
    git(folder, "rm", "-rq", "--cached", "src")
    commit_all(folder)


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


@pytest.mark.parametrize("is_there", [True, False])
def test_a_file_of_a_submodule(folder: Path, tmp_path: Path, is_there: bool) -> None:
    module = tmp_path / "module"
    module.mkdir()
    (module / "n.h").write_text("")
    commit_all(module)
    git(folder, "-c", "protocol.file.allow=always", "submodule", "add", str(module), "third/mini")
    if not is_there:
        shutil.rmtree(folder / "third" / "mini")
        (folder / "third" / "mini").mkdir()
    explained = explain(folder, "third/mini/n.h")
    assert "the git submodule third/mini" in explained.found
    assert "git add" not in explained.fix
    assert "Nix 2.27 or newer (not Lix) and write `inputs.self.submodules" in explained.fix


def test_untracked_files_that_a_message_names(folder: Path) -> None:
    """A file is not named by a word that begins with its name, such as a hash of the store."""
    (folder / "a").touch()
    (folder / "n.nix").touch()
    (folder / "n").touch()
    source = f"/nix/store/{'a' * 32}-source"
    said = f"error: opening file '{source}/n.nix': No such file or directory"
    (explained,) = hidden_files.explain_problems(folder, said, [])
    assert explained.found == "files that git does not track yet: n.nix"
    assert explained.fix == f"git -C {folder} add -N -- n.nix"


def explain_failure(folder: Path, problem: Problem) -> Problem:
    return hidden_files.explain_failure(folder, problem, in_git=True)


@pytest.mark.parametrize("how", ["ignored", "untracked"])
def test_a_header_that_a_compile_misses(folder: Path, how: str) -> None:
    git(folder, "rm", "-rq", "--cached", "src")
    if how == "ignored":
        ignore_all = folder / ".gitignore"
        ignore_all.write_text("lib/\n")
    explained = explain_failure(folder, COMPILE)
    assert "src/lib/n.h is" in explained.found
    assert explained.fix.startswith(f"git -C {folder} add -N")
    assert explained.fix.endswith("\nlog")
    other = Problem("a.o", "error: 'x' was not declared", "", "log")
    assert explain_failure(folder, other) == other


def test_a_source_that_is_a_pointer(folder: Path) -> None:
    problem = Problem("a.o", "src/a.cu:1:1: error: 'version' does not name a type", "", "log")
    (folder / "src" / "a.cu").write_text("int a;\n")
    assert explain_failure(folder, problem) == problem
    (folder / "src" / "a.cu").write_bytes(hidden_files.POINTER + b"v1\n")
    explained = explain_failure(folder, problem)
    assert "src/a.cu is a pointer of Git LFS" in explained.found
    assert explained.fix == "git lfs pull\nlog"


@pytest.mark.parametrize("is_nvcc", [False, True])
def test_a_header_above_the_kernel(folder: Path, is_nvcc: bool) -> None:
    said = "src/a.cpp:2:10: fatal error: ../../common/n.h: No such file or directory"
    if is_nvcc:
        said = 'src/a.cpp(2): error: cannot open source file "../../common/n.h"'
    problem = Problem("a.o", said, "", "log")
    assert explain_failure(folder, problem) == problem
    (folder.parent / "common").mkdir()
    (folder.parent / "common" / "n.h").touch()
    explained = explain_failure(folder, problem)
    assert f"{folder.parent}/common/n.h is there, but not in the kernel's folder" in explained.found
    assert explained.fix == f"put it into {folder}\nlog"


def test_a_repository_of_another_user(cli: Cli, flake: Path, programs: Callable[..., str]) -> None:
    git = shutil.which("git")
    script = f'#!/bin/sh\nGIT_TEST_ASSUME_DIFFERENT_OWNER=1 exec {git} "$@"\n'
    place = programs([], {"git": script})
    done = cli.expect(1, "list-variants", str(flake), PATH=f"{place}:{os.environ['PATH']}")
    assert f"at     {flake}\n       found  fatal: detected dubious ownership" in done.stderr
    assert f"git config --global --add safe.directory {flake}" in done.stderr


GCC = "{source}:2:10: fatal error: {name}: No such file or directory"
CLANG = "{source}:2:10: fatal error: '{name}' file not found"
CUDAFE = '{source}(2): catastrophic error: cannot open source file "{name}"'


@pytest.mark.parametrize("in_git", [True, False])
@pytest.mark.parametrize("text", [GCC, CLANG, CUDAFE])
@pytest.mark.parametrize(
    ("name", "place"), [("n.h", "src/lib"), ("lib/n.h", "src"), ("../src/lib/n.h", ".")]
)
def test_a_header_that_was_not_given(
    folder: Path, text: str, name: str, place: str, in_git: bool
) -> None:
    problem = Problem("a.o", text.format(source="main/a.cpp", name=name), "", "log")
    explained = hidden_files.explain_failure(folder, problem, in_git=in_git)
    assert explained.found.split("\n")[1].startswith("src/lib/n.h is there, but no include")
    assert explained.fix.startswith(f'add "{place}" to `include`')
    assert explained.fix.endswith("\nlog")


def test_a_header_that_is_a_link(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/n.h").symlink_to(__file__)
    problem = Problem("a.o", GCC.format(source="main/a.cpp", name="n.h"), "", "log")
    explained = hidden_files.explain_failure(tmp_path, problem, in_git=False)
    assert "\ninclude/n.h is a link, and a build follows none" in explained.found
    assert explained.fix == "put the file itself there\nlog"


@pytest.mark.parametrize("name", ["nowhere.h", "x.h", "..", "h"])
def test_a_header_that_is_nowhere(folder: Path, name: str) -> None:
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "x.h").touch()
    commit_all(folder)
    problem = Problem("a.o", GCC.format(source="src/a.cpp", name=name), "", "log")
    assert explain_failure(folder, problem) == problem
