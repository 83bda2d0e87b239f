"""Find the flake of kernel-builder, whose library and packages the commands use.

The flake is named by `--builder` or the variable KERNEL_BUILDER_FLAKE. Without a name it is the
checkout that this program is part of, or else the reference that is written at release.
"""

import os
import re
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.quoting import nix_path, nix_string
from kernel_builder.settings import cache_by_settings, current_settings

VARIABLE: Final = "KERNEL_BUILDER_FLAKE"
# The build of a wheel writes it, see python/setup.py.
RELEASED: Final = Path(__file__).resolve().parents[1] / "flake-reference"
PLACEHOLDER: Final = "github:OWNER/kernel-builder"
_LOCAL: Final = re.compile(r"(?:path:)?([./].*)")


def find_flake() -> str:
    """Return the flake reference of kernel-builder, or the path of a local checkout.

    Raises KernelBuilderError if there is none: an unreleased package without a checkout around it.
    """
    if named := current_settings().builder or os.environ.get(VARIABLE):
        local = _LOCAL.fullmatch(named)
        return str(Path(local[1]).resolve()) if local else named
    # The package of a checkout is in python/src.
    above = tuple(Path(__file__).resolve().parents)[4:5]
    if above and (above[0] / "default.nix").is_file():
        return str(above[0])
    if RELEASED.is_file():
        return RELEASED.read_text(encoding="utf-8").strip()
    fix = f"name it: --builder {PLACEHOLDER}, or the variable {VARIABLE}"
    problem = Problem(str(RELEASED), "nothing", "a package of a release or a checkout", fix)
    raise KernelBuilderError("the flake of kernel-builder is not known", [problem])


def find_root() -> Path:
    """Return the source tree of kernel-builder. Nix fetches a flake that is not on this machine."""
    reference = find_flake()
    return Path(reference) if reference.startswith("/") else _fetch_source(reference)


def evaluate_library(expression: str) -> Any:
    """Return the value of `lib.EXPRESSION`, where `lib` is kernel-builder's library."""
    library = f"(import {nix_path(find_root() / 'lib')})"
    return nix.evaluate(["--impure", "--expr", f"{library}.{expression}"])


def evaluate_package(attribute: str, apply: str = nix.OUTLINE) -> Any:
    """Return the result of `apply` for a package of this system, by default its store paths."""
    packages = f"(import {nix_path(find_root())}).packages.${{builtins.currentSystem}}"
    return nix.evaluate(["--impure", "--expr", f"{packages}.{attribute}"], apply)


@cache_by_settings
def _fetch_source(reference: str) -> Path:
    expression = f"(builtins.getFlake {nix_string(reference)}).outPath"
    return Path(nix.evaluate(["--impure", "--expr", expression]))
