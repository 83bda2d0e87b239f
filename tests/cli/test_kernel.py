"""Folders that are no kernels, and machines without a usable Nix: the messages, whole."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import BUILD, FakeKernel, init_git
from tests.tiny_kernel import commit_all


@pytest.fixture
def kernel(kernel: FakeKernel) -> FakeKernel:
    kernel.add("a-cpu")
    return kernel


@pytest.mark.parametrize("words", ["check-config", "list-variants", "build --dry-run"])
def test_example_in_git_gets_no_lock(tmp_path: Path, kernel: FakeKernel, words: str) -> None:
    root = tmp_path / "root"
    example = root / "examples" / "k"
    shutil.copytree(kernel.write(), example)
    (root / "flake.nix").write_text("{ outputs = _: { it = 1; }; }")
    (root / "default.nix").write_text("{ }")
    flake = example / "flake.nix"
    above = 'inputs.kernel-builder.url = "path:../.."; outputs = inputs:'
    flake.write_text(flake.read_text().replace("outputs = _:", f"{above} assert inputs ? self;", 1))
    commit_all(root)
    cli = Cli(tmp_path)
    done = cli(*words.split(), str(example))
    assert done.status == 0, done.stderr
    # Nix would add a lock to git's index, whatever .gitignore says.
    assert not (example / "flake.lock").exists()
    status = subprocess.run(
        ["git", "-C", str(root), "status", "--short"], capture_output=True, text=True, check=True
    )
    assert status.stdout == ""


def test_no_build_toml(cli: Cli, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    done = cli("check-config", str(empty))
    assert done.status == 1
    assert (
        done.stderr
        == f"""\
error: {empty} is not a kernel (1 problem)

       at     {empty}
       found  no build.toml
       want   a kernel's build.toml
       fix    give the folder of a kernel, or write a build.toml (see docs/)
"""
    )


def test_a_folder_below_a_kernel(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    (folder / "a" / "b").mkdir(parents=True)
    done = cli("list-variants", "--arch", str(folder / "a" / "b"))
    assert (done.stdout, done.stderr) == ("a-cpu\n", f"the kernel's folder is {folder}\n")
    # A repository of its own is no part of the kernel around it.
    init_git(folder / "a")
    assert "is not a kernel" in cli("list-variants", str(folder / "a" / "b")).stderr


def test_here_without_git(cli: Cli, kernel: FakeKernel) -> None:
    shutil.copytree(kernel.write(), cli.folder, dirs_exist_ok=True)
    assert cli("list-variants").stdout == "a-cpu\ntorch213-cxx11-cpu-elsewhere\n"
    assert cli("list-variants", "--arch").stdout == "a-cpu\n"
    assert json.loads(cli("list-variants", "--json", "--arch").stdout) == {
        "version": 1,
        "variants": ["a-cpu"],
    }


@pytest.mark.parametrize(
    ("tracked", "hidden"),
    [
        (["variants.nix"], "build.toml flake.nix"),
        (["flake.nix", "variants.nix", "a"], "build.toml variants.nix"),
        (["flake.nix", "build.toml"], "variants.nix"),
    ],
)
def test_untracked(cli: Cli, kernel: FakeKernel, tracked: list[str], hidden: str) -> None:
    folder = kernel.write()
    (folder / "a").write_text("")
    init_git(folder, *(set(tracked) - set(hidden.split())))
    done = cli("list-variants", str(folder))
    assert done.status == 1
    names = hidden.split()
    assert done.stderr.endswith(f"""\

       at     {folder}
       found  files that git does not track yet: {", ".join(names)}
       want   tracked files, since Nix reads a folder in git through git
       fix    git add -N {hidden}
""")


def test_untracked_files_are_named_before_a_build(cli: Cli, kernel: FakeKernel) -> None:
    folder = kernel.write()
    (folder / "new.py").touch()

    def warnings() -> list[str]:
        said = cli("build", "--dry-run", str(folder)).stderr.splitlines()
        return [line for line in said if line.startswith("warning: git does not track")]

    # Without git, Nix reads all files.
    assert warnings() == []
    init_git(folder, "flake.nix", "build.toml", "variants.nix")
    (line,) = warnings()
    assert line.endswith(f"1 file, so the build lacks them: git -C {folder} add -N -- new.py")
    for number in range(6):
        (folder / f"{number}.py").touch()
    (line,) = warnings()
    assert line.endswith(f"7 files, so the build lacks them: git -C {folder} add -N -- .")
    # A kernel of others is read without git.
    others = cli("build", "--dry-run", "--untrusted", "--allow-vulnerable-nix", str(folder))
    assert "does not track" not in others.stderr
    (folder / ".gitignore").write_text("*.py\n.gitignore\n")
    assert warnings() == []


def test_without_flake(cli: Cli, kernel: FakeKernel, tmp_path: Path) -> None:
    root = tmp_path / 'a "root"'
    root.mkdir()
    (root / "default.nix").write_text(
        "{ lib.${builtins.currentSystem}.kernelOutputs = path: { archVariants = ["
        ' (builtins.readFile (path + "/build.toml")) ]; }; }'
    )
    folder = kernel.write()
    (folder / "flake.nix").unlink()
    done = cli("list-variants", "--arch", "--json", str(folder), KERNEL_BUILDER_FLAKE=str(root))
    assert done.status == 0, done.stderr
    assert json.loads(done.stdout)["variants"] == [BUILD]


def test_no_nix(cli: Cli, kernel: FakeKernel, programs: Any) -> None:
    done = cli("build", str(kernel.write()), PATH=programs(["git"]))
    assert done.status == 1
    assert (
        done.stderr
        == """\
error: nix is not installed, or not on the PATH (1 problem)

       at     the PATH
       found  no program called nix
       want   a folder that has it
       fix    run ./install.sh of kernel-builder, or see https://nixos.org/download
"""
    )
