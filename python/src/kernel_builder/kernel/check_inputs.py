"""What to do where `pythonCheckInputs` in a flake names a package that is not pinned.

Nix says no more than that a variable or an attribute is not there.
"""

from __future__ import annotations

import difflib
import json
import platform
import re
from pathlib import Path
from typing import Final

from kernel_builder.kernel.builder import find_root
from kernel_builder.messages.errors import KernelBuilderError, Problem

# Undefined with `with pkgs;`, missing with `pkgs.NAME`; where in the flake follows.
_UNKNOWN: Final = re.compile(
    r"(?:undefined variable|attribute) '(?P<name>[^']+)'(?: missing)?"
    r"\s+at \S*/flake\.nix:(?P<line>\d+)"
)
_REFUSED: Final = re.compile(r'no Python package "(?P<name>[^"]+)" is pinned')
_INPUTS: Final = re.compile(r"python(?:Native)?CheckInputs")
# What every environment has by its variant.
_ANYWAY: Final = ("torch", "triton")


def explain(text: str, folder: Path) -> KernelBuilderError | None:
    """Return the error that Nix's is, if it is about a package for tests."""
    flake = folder / "flake.nix"
    if not flake.is_file():
        return None
    lines = flake.read_text(encoding="utf-8", errors="replace").splitlines()
    if unknown := _UNKNOWN.search(text):
        name, number = unknown["name"], int(unknown["line"])
    elif refused := _REFUSED.match(text):
        name = refused["name"]
        # As a string it may stand anywhere.
        number = next((n for n, line in enumerate(lines, 1) if f'"{name}"' in line), 0)
    else:
        return None
    if not any(_INPUTS.search(line) for line in lines[:number]):
        return None
    pinned = list_pinned()
    # As Python's modules are spelt.
    spelt = name.replace("_", "-").lower()
    near = [f'"{each}"' for each in difflib.get_close_matches(spelt, pinned, n=3, cutoff=0.8)]
    problem = Problem(
        at=f"{flake}:{number}: {lines[number - 1].strip()}",
        found=name,
        want=f"one of the {len(pinned)} pinned packages, such as {', '.join(near)}"
        if near
        else f"one of the {len(pinned)} pinned packages",
        fix=f"did you mean {near[0]}?" if near else f"pin it beside flake.nix:\n{how_to_pin(name)}",
        file=str(flake),
        line=number,
    )
    return KernelBuilderError(f"no Python package {name} is pinned", [problem])


def list_pinned() -> list[str]:
    """Return the names that the package set has for this machine."""
    file = find_root() / "pkgs" / "python" / "python-packages" / "pins.json"
    pins = json.loads(file.read_text(encoding="utf-8"))["pins"]
    return sorted({*pins.get(f"{platform.machine()}-linux", {}), *_ANYWAY})


def how_to_pin(name: str) -> str:
    """Return the commands that pin a package in a file of one's own, and what names it then."""
    system = f"{platform.machine()}-linux"
    want = {"kind": "wheel", "python": "3.11", "want": [name], "pins": {system: {}}}
    return (
        f"  echo '{json.dumps(want)}' > test-pins.json\n"
        f"  {find_root()}/python/bin/lock-pins test-pins.json\n"
        "  git add test-pins.json\n"
        f"and name it (pkgs.fromIndex {{ pins = ./test-pins.json; }}).{name} there"
    )
