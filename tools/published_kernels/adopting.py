"""Copies of published kernels whose flakes have another kernel-builder, and no other change."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from kernel_builder import nix
from kernel_builder.machine.git import find_git_root
from tests.evaluation import run_nix

INPUT = re.compile(r'(\bkernel-builder(?:\.url\s*=|\s*=\s*\{\s*url\s*=)\s*)"[^"]*"')
# An older Nix refuses the whole flake because of this line.
SUBMODULES = re.compile(r"^\s*(?:inputs\.)?self\.submodules\s*=\s*true;\s*$", re.MULTILINE)
KNOWS_SUBMODULES = (2, 27)
# A folder without a flake is built with the defaults.
FLAKE = """\
{
  inputs.kernel-builder.url = "";
  outputs =
    { self, kernel-builder }:
    kernel-builder.lib.genKernelFlakeOutputs {
      inherit self;
      path = ./.;
    };
}
"""
LEFT_OUT = shutil.ignore_patterns(".git", "build", "result*")


class AdoptionError(Exception):
    """The flake has no input that can be replaced."""


def use_builder(kernel: Path, builder: str) -> None:
    """Replace the kernel-builder input of a flake by the flake reference `builder`.

    Raises AdoptionError if the flake has no such input.
    """
    file = kernel / "flake.nix"
    text, count = INPUT.subn(rf'\1"{builder}"', file.read_text())
    if count != 1:
        raise AdoptionError(f"{file}: no input kernel-builder with a url is found")
    if nix.release().number < KNOWS_SUBMODULES:
        text = SUBMODULES.sub("", text)
    file.write_text(text)


def copy_kernel(kernel: Path, copy: Path) -> None:
    """Copy a kernel's folder: in a repository the files that git tracks, else all of them.

    Links stay links, so a kernel of others cannot bring files of this machine into its copy.
    """
    if find_git_root(kernel) is None:
        shutil.copytree(kernel, copy, symlinks=True, ignore=LEFT_OUT)
        return
    argv = ["git", "-C", str(kernel), "ls-files", "-z"]
    listed = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (kernel / name).is_symlink() or (kernel / name).is_file():
            shutil.copy2(kernel / name, target, follow_symlinks=False)


def adopt_kernel(kernel: Path, copy: Path, builder: str) -> None:
    """Copy a kernel and lock its copy to the flake reference `builder`.

    Raises AdoptionError if the flake has no input that can be replaced, and NixError if it cannot
    be locked.
    """
    copy_kernel(kernel, copy)
    if not (copy / "flake.nix").exists():
        (copy / "flake.nix").write_text(FLAKE)
    use_builder(copy, builder)
    run_nix("nix", "flake", "lock", f"path:{copy}")
    lock = json.loads((copy / "flake.lock").read_text())
    root = lock["nodes"][lock["root"]]
    locked = lock["nodes"][root["inputs"]["kernel-builder"]]["locked"]
    if f"{locked['type']}+{locked.get('url')}" != builder:
        raise AdoptionError(f"{kernel / 'flake.nix'}: its kernel-builder stays {locked}")
