"""Texts of strangers, such as the name of a folder, become no part of a script."""

import shutil
import subprocess
from pathlib import Path

import pytest

from kernel_builder.authoring.completion import list_backends
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.result import read_variant_name
from tests.cli import conftest as shared
from tests.cli.command_line import Cli
from tests.evaluation import ROOT, SYSTEM, build, evaluate, nix_string, path_of
from tests.install.fake_machine import write_program

cli = shared.cli
PACKAGES = f"(import {path_of(ROOT)}).packages.{SYSTEM}"
# Each would make a file `pwned` if a shell, sed or Python read it as a script.
TEXTS = (
    "x$(touch pwned)-x86_64-linux",
    "x`touch pwned`-x86_64-linux",
    "x;touch pwned;-x86_64-linux",
    "x'; touch pwned; '",
    'x"; touch pwned; "',
    "x|w pwned\n;|",
    "x\ntouch pwned\n",
    "$(touch pwned)",
    "-x",
    "--symbols=x",
    "x y",
)
# All at once.
MIXED = "x'\"; $(touch pwned) `touch pwned`; touch pwned; |w pwned"


@pytest.mark.attack("check-builds", "a variant's folder has a command as its name", "refused")
@pytest.mark.attack("check-abi, hash", "a variant's folder has a command as its name", "refused")
@pytest.mark.parametrize("text", TEXTS)
def test_a_name_of_a_variant_is_no_command(cli: Cli, tmp_path: Path, text: str) -> None:
    variant = tmp_path / "v" / text
    variant.mkdir(parents=True)
    (variant / "__init__.py").touch()
    (variant / "metadata.json").write_text('{"name": "k", "backend": {"type": "cpu"}}')
    with pytest.raises(KernelBuilderError, match="a folder has no name of a variant"):
        read_variant_name(variant)
    if text == TEXTS[0]:
        for command in ("check-builds", "check-abi", "hash"):
            done = cli.expect(1, command, str(variant.parent))
            assert f"found  {text}\n" in done.stderr, done.stderr
            assert "want   letters, digits and _.+-\n" in done.stderr
    assert not [*tmp_path.rglob("pwned")]


@pytest.mark.parametrize(
    "name",
    ["torch213-cxx11-cpu-x86_64-linux", "torch-cuda", "tvm-ffi01-cu130-aarch64-linux", "v1.0+a"],
)
def test_other_names_stay(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert read_variant_name(tmp_path / name) == name


def start(folder: Path, *argv: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program in a folder."""
    words = list(map(str, argv))
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.attack("completions", "a backend in build.toml is a command", "not offered to bash")
def test_a_completion_is_no_command(tmp_path: Path) -> None:
    (tmp_path / "build.toml").write_text('general.backends = ["cpu", "$(id)", "a\\nb"]')
    assert list_backends(["build", str(tmp_path)]) == ["cpu"]


@pytest.mark.attack("the program of check-builds", "a name of a variant is a command", "data")
def test_the_checks_of_a_folder_take_a_name_as_data(tmp_path: Path) -> None:
    programs = [f"({PACKAGES}.checkFolder {nix_string(text)}).withoutTorch" for text in TEXTS]
    (program,) = set(evaluate(f"map (each: each.drvPath) [ {' '.join(programs)} ]"))
    check = build(program) / "bin" / "check-folder"
    (tmp_path / "__init__.py").touch()
    (tmp_path / "metadata.json").write_text('{"name": "k", "backend": {"type": "cpu"}}')
    for text in (MIXED, "--symbols=x"):
        for name in ("layout", "registration", "abi"):
            done = start(tmp_path, check, name, tmp_path, "", text)
            assert "usage:" not in done.stderr, (name, text, done.stderr)
            if name == "layout":
                assert f"error: {text} is not laid out as a variant" in done.stderr
    assert not (tmp_path / "pwned").exists()


@pytest.mark.attack("devshell, ci-test", "a text of a kernel is a command", "data")
@pytest.mark.parametrize("text", [MIXED, ""])
def test_a_shell_takes_texts_as_data(tmp_path: Path, text: str) -> None:
    given = nix_string(text)
    shell = f"""{PACKAGES}.kernelShell {{
      kind = "devshell"; kernel = "k"; variant = "v"; label = {given};
      environment = {PACKAGES}.busybox; tools = [ ]; variables.GIVEN = {given}; hasVenv = false;
      repository = {given}; built = null; localKernels = {given}; notice = {given};
    }}"""
    choice = f"""{PACKAGES}.chooseProgram {{
      program = "ci-test"; folder = "tests"; output = {given}; kernel = {given};
      candidates = [ ]; untested = [ {given} ];
    }}"""
    program = f"""{PACKAGES}.variantProgram {{
      program = "ci-test"; folder = "tests"; kernel = "k"; variant = "v"; repository = {given};
      built = {PACKAGES}.busybox; localKernels = {given}; operatorCheck = null; files = null;
      python = {PACKAGES}.busybox; tools = [ ];
    }}"""
    entered = start(
        tmp_path, build(evaluate(f"({shell}).files.drvPath")) / "bin/enter",
        "sh", "-c", 'printf "%s\\n" "$GIVEN" "$LOCAL_KERNELS"',
    )  # fmt: skip
    assert entered.stdout == f"{text}\n{text}\n"
    assert entered.stderr == (f"{text}\n" if text else "")
    chosen = start(tmp_path, build(evaluate(f"({choice}).drvPath")) / "bin/ci-test")
    assert f"error: {text} has no tests that can run here" in chosen.stderr
    assert not text or f"no tests for {text}\n" in chosen.stderr
    ran = start(tmp_path, build(evaluate(f"({program}).drvPath")) / "bin/ci-test")
    assert ran.stderr == "ci-test: v: the kernel has no folder `tests`\n"
    assert [*tmp_path.iterdir()] == []


@pytest.mark.attack("devshell", ".venv of the kernel has programs and links", "not used")
@pytest.mark.parametrize("kind", ["old", "link", "dangling", "imitated"])
def test_a_shell_takes_no_environment_of_the_kernel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mine = tmp_path / "mine"
    mine.write_text("mine")
    kernel = tmp_path / "kernel"
    brought = kernel / ("brought" if kind == "link" else ".venv")
    (brought / "bin").mkdir(parents=True)
    for program in ("git", "python", "python3", "rm"):
        write_program(brought / "bin" / program, "touch ../pwned")
    (brought / "kernel-builder").write_text("x")
    for name in (".gitignore", "pyvenv.cfg"):
        (brought / name).symlink_to(mine)
    if kind == "link":
        (kernel / ".venv").symlink_to("brought")
    elif kind == "dangling":
        shutil.rmtree(brought)
        brought.symlink_to(tmp_path / "new")
    elif kind == "imitated":
        (brought / "bin").rename(brought / "programs")
        (brought / "bin").symlink_to("programs")
    (kernel / "build.toml").touch()
    before = sorted(kernel.rglob("*"))
    python = (
        f'({PACKAGES}.pythonWith {{ name = "lock-kernels-python"; packages = [ "kernels" ]; }})'
    )
    shell = f"""{PACKAGES}.kernelShell {{
      kind = "devshell"; kernel = "k"; variant = "v"; label = "k"; environment = {python};
      tools = [ ]; variables.X = "x"; hasVenv = true; repository = null; built = null;
      localKernels = ""; notice = "";
    }}"""
    enter = build(evaluate(f"({shell}).files.drvPath")) / "bin/enter"
    done = start(kernel, enter, "sh", "-c", "git --version; command -v python; env")
    assert f"{kernel}/.venv was not made by kernel-builder and stays as it is" in done.stderr
    assert not {f"{tmp_path}/pwned", f"{tmp_path}/new"} & set(map(str, tmp_path.iterdir()))
    assert "VIRTUAL_ENV" not in done.stdout
    assert (mine.read_text(), sorted(kernel.rglob("*"))) == ("mine", before)
    # Without it, the shell has an environment outside of the kernel.
    for place in (brought, kernel / ".venv"):
        shutil.rmtree(place) if place.is_dir() and not place.is_symlink() else place.unlink(True)
    done = start(kernel, enter, "sh", "-c", "command -v python; echo $VIRTUAL_ENV")
    assert done.stdout.startswith(f"{tmp_path}/cache/kernel-builder/venvs/"), done.stderr
    assert start(kernel, enter, ".venv/bin/python", "-c", "import kernels").returncode == 0
