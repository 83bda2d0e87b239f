"""Messages for kernels that cannot be built, and the check that an author may leave out."""

import subprocess
from pathlib import Path

import pytest

from tests.evaluation import VARIANT, NixError, build_flake, run_nix
from tests.tiny_kernel import TinyKernel


def installable(kernel: TinyKernel, scheme: str = "path:") -> str:
    return f"{scheme}{kernel.folder}#redistributable.{VARIANT}"


def put_in_git(kernel: TinyKernel, *files: str) -> None:
    """Make the kernel a repository that tracks some of its files."""
    for arguments in (("init", "-q"), ("add", "-N", *files)):
        subprocess.run(["git", *arguments], cwd=kernel.folder, check=True)


RAISES = 'raise RuntimeError("no such luck")\n'


def test_the_check_can_be_left_out(flake: TinyKernel, tmp_path: Path) -> None:
    text = (flake.folder / "flake.nix").read_text()
    flake.write(
        "flake.nix", text.replace("inherit self;", "inherit self; doGetKernelCheck = false;")
    )
    flake.write("torch-ext/tiny/__init__.py", RAISES)
    put_in_git(flake, ".")
    built = build_flake(installable(flake, ""), cwd=tmp_path)
    assert (built / "__init__.py").read_text() == RAISES


def test_a_source_that_git_does_not_track(flake: TinyKernel) -> None:
    tracked = ["flake.nix", "build.toml", "torch-ext", "include", "answer/answer.h"]
    put_in_git(flake, *tracked)
    with pytest.raises(NixError) as error:
        run_nix("nix", "eval", "--no-write-lock-file", f"{installable(flake, '')}.drvPath")
    assert "git add -N answer/answer.cpp" in str(error.value)
    put_in_git(flake, ".")
    assert run_nix("nix", "eval", "--no-write-lock-file", f"{installable(flake, '')}.drvPath")
