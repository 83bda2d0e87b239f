"""Runs the check of Python files on a kernel that is not built."""

from __future__ import annotations

import sys
from pathlib import Path

from kernel_builder.kernel.builder import find_root
from kernel_builder.machine.process import Finished, module_argv, run


def check_registration(folder: Path, shown_as: str) -> Finished:
    """Check the Python files of a kernel that is not built; messages call the folder `shown_as`.

    This check needs no package of Nix, so that the Python of this process runs it.
    """
    programs = find_root() / "pkgs" / "checks"
    folders = [programs / "check-registration", programs / "run-check", Path(__file__).parents[2]]
    argv = module_argv(sys.executable, "registration_check", folders)
    return run([*argv, "--shown-as", shown_as, str(folder)])
