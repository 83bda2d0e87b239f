"""Runs the checks of a build on any folder, through the program that Nix makes of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.kernel.builder import evaluate_package, find_root
from kernel_builder.machine.process import Finished, module_argv, run
from kernel_builder.nix.quoting import nix_string
from kernel_builder.sources.missing import find_missing
from kernel_builder.variants.make import make_path
from kernel_builder.variants.result import read_variant_name

CHECKS: Final = ("layout", "registration", "abi")


def check_variant(variant: Path, check: str, *, may_fetch: bool = False) -> Finished:
    """Run one of `CHECKS` on a variant's folder; return its output and status, 0 if it is right.

    The symbols of the variant's Torch are compared if its wheel is at hand, or if `may_fetch` is
    set. Raises KernelBuilderError if the program of the checks cannot be built.
    """
    name = read_variant_name(variant)
    outline = f"f: builtins.mapAttrs (_: {nix.OUTLINE}) (f {nix_string(name)})"
    programs = evaluate_package("checkFolder", outline)
    has_torch = may_fetch or not find_missing([programs["withTorch"]["drv"]]).sources
    program = programs["withTorch" if has_torch else "withoutTorch"]
    path = make_path(program, "the checks cannot be built")
    return run([f"{path}/bin/check-folder", check, str(variant)])


def check_registration(folder: Path, shown_as: str) -> Finished:
    """Check the Python files of a kernel that is not built; messages call the folder `shown_as`.

    This check needs no package of Nix, so that the Python of this process runs it.
    """
    programs = find_root() / "pkgs" / "checks"
    folders = [programs / "check-registration", programs / "run-check", Path(__file__).parents[2]]
    argv = module_argv(sys.executable, "registration_check", folders)
    return run([*argv, "--shown-as", shown_as, str(folder)])
