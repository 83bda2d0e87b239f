"""docs/reference/status.json is right about plans and derivations for every row of the matrix."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from tests.evaluation import ROOT, evaluate, outputs_of, path_of
from tests.tiny_kernel import TinyKernel

# A component for each backend with compiled code, and a kernel of Python files for the others.
FIVE = ROOT / "tests" / "golden" / "five"
NOARCH = """\
[general]
name = "tiny"
version = 1
edition = 5
license = "mit"
backends = ["cann", "neuron", "tpu"]

[torch-noarch]
"""

STATED = f"""
let
  library = import {path_of(ROOT / "lib")};
  rows = import {path_of(ROOT / "docs/generate/status/rows.nix")} {{
    inherit library;
    inherit (import {path_of(ROOT)}) packages;
  }};
  claims = import {path_of(ROOT / "docs/generate/status/claims.nix")} {{ inherit library rows; }};
  data = builtins.fromJSON (builtins.readFile {path_of(ROOT / "docs/reference/status.json")});
in
map (row: {{
  inherit (row) name system;
  words = map (record: record.word) (
    builtins.filter (record: !record ? instead) (claims.recordsOf data row)
  );
}}) rows
"""


class Seen(NamedTuple):
    """The variants with a plan and those with a derivation, each as name and system."""

    planned: set[tuple[str, str]]
    instantiated: set[tuple[str, str]]


def look(folder: Path) -> Seen:
    """Return the variants of a kernel that have a plan and those that have a derivation."""
    systems = evaluate(
        f"let library = import {path_of(ROOT / 'lib')}; in "
        "{ inherit (library.platforms.systems) all building; }"
    )
    planned = evaluate(
        f"""
        let kernel = (import {path_of(ROOT / "lib")}).plan.kernel.readKernel {{
          root = {path_of(folder)};
          torchVersions = defaults: defaults;
          brought = [ ];
        }}; in map (variant: builtins.deepSeq variant.plan {{ inherit (variant) name system; }})
          kernel.variants
        """
    )
    is_made = "builtins.mapAttrs (_: variant: (builtins.tryEval variant.drvPath).success)"
    made = {
        system: evaluate(f"{is_made} {outputs_of(folder, system=system)}.redistributable")
        for system in systems["building"]
    }
    return Seen(
        {(each["name"], each["system"]) for each in planned},
        {(name, system) for system in made for name, succeeds in made[system].items() if succeeds},
    )


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Seen:
    """The variants of all rows of the matrix."""
    files = {"build.toml": NOARCH, "torch-ext/tiny/__init__.py": ""}
    noarch = look(TinyKernel(tmp_path_factory.mktemp("noarch") / "tiny", files).folder)
    five = look(FIVE)
    return Seen(five.planned | noarch.planned, five.instantiated | noarch.instantiated)


@pytest.fixture(scope="module")
def stated() -> dict[tuple[str, str], list[str]]:
    """The claims of each row in docs/reference/status.json."""
    return {(row["name"], row["system"]): row["words"] for row in evaluate(STATED)}


def test_every_row_has_a_plan(seen: Seen, stated: dict[tuple[str, str], list[str]]) -> None:
    assert set(stated) - seen.planned == set()


def test_rows_are_instantiated_that_are_said_to_be_and_no_others(
    seen: Seen, stated: dict[tuple[str, str], list[str]]
) -> None:
    assert {row for row, words in stated.items() if words != ["evaluated"]} == seen.instantiated
