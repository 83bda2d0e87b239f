"""Every row of the matrix has a plan and a derivation, as docs/reference/status.md says."""

import re
from pathlib import Path

import pytest

from tests.derivation import closure_of
from tests.evaluation import ROOT, SYSTEM, evaluate, outputs_of, path_of
from tests.tiny_kernel import NOARCH, TinyKernel

# A component for each backend with compiled code, and a kernel of Python files for the others.
FIVE = ROOT / "tests" / "golden" / "five"
OTHERS = NOARCH.replace('"cpu"', '"cann", "neuron", "tpu"')

ROWS = f"""
let
  library = import {path_of(ROOT / "lib")};
  inherit (library.matrix) names torchBuilds;
  nameOf = row:
    if library.backends.all.${{row.backend}}.languages == {{ }} then
      names.nameNoarchVariant row.backend
    else
      names.nameVariant {{ inherit (row) torch compute system; }};
in
map (row: {{ inherit (row) backend system toolkit; name = nameOf row; }}) torchBuilds.knownRows
"""


def instantiated(folder: Path) -> set[tuple[str, str]]:
    """Return name and system of the variants of a kernel that have a plan and a derivation."""
    systems = evaluate(f"(import {path_of(ROOT / 'lib')}).platforms.systems.all")
    has_both = (
        "builtins.mapAttrs (name: variant: (builtins.tryEval "
        "(builtins.deepSeq variant.plan variant.drvPath)).success)"
    )
    return {
        (name, system)
        for system in systems
        for name, succeeds in evaluate(
            f"{has_both} {outputs_of(folder, system=system)}.redistributable"
        ).items()
        if succeeds
    }


def test_every_row_is_instantiated(tmp_path: Path) -> None:
    files = {"build.toml": OTHERS, "torch-ext/tiny/__init__.py": ""}
    noarch = TinyKernel(tmp_path / "tiny", files).folder
    rows = {(row["name"], row["system"]) for row in evaluate(ROWS)}
    assert rows == instantiated(FIVE) | instantiated(noarch)


@pytest.mark.parametrize(("backend", "package"), [("rocm", "rocm"), ("xpu", "oneapi")])
def test_a_row_has_the_packages_of_its_own_release(backend: str, package: str) -> None:
    # The vendors' packages and Torch's own wheels are only instantiated, not fetched.
    rows = [row for row in evaluate(ROWS) if (row["backend"], row["system"]) == (backend, SYSTEM)]
    names = " ".join(f'"{row["name"]}"' for row in rows)
    variants = f"{outputs_of(FIVE)}.redistributable"
    drvs = evaluate(f"map (name: ({variants}).${{name}}.drvPath) [ {names} ]")
    found = [
        match[1]
        for drv in drvs
        for item in closure_of(drv)
        if (match := re.fullmatch(rf"{package}-([0-9.]+)", item.name))
    ]
    assert sorted(found) == sorted(row["toolkit"] for row in rows) != []
