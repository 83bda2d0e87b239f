"""docs/data.md lists the fields of the data."""

import re
from functools import cache

import pytest

from tests.evaluation import ROOT, SYSTEM, evaluate, path_of

PAGE = (ROOT / "docs" / "data.md").read_text(encoding="utf-8")
NO_FIELDS = {"Words"}

# One value of each kind, out of a kernel with a component for each backend.
VALUES = f"""
let
  project = import {path_of(ROOT)};
  lib = import {path_of(ROOT / "lib")};
  Kernel = lib.plan.kernel.readKernel {{
    root = {path_of(ROOT / "tests/golden/five")};
    torchVersions = defaults: defaults;
    brought = [ ];
  }};
  find = predicate: list: builtins.head (builtins.filter predicate list);
  Variant = find (variant: variant.name == "torch213-cxx11-cu130-x86_64-linux") Kernel.variants;
  decided = lib.matrix.decisions.decideRows {{
    config = Kernel.config // {{ torch = Kernel.config.torch // {{ minver = "2.13"; }}; }};
    matrix = lib.matrix.torchBuilds.knownRows;
  }};
  Unit = find (unit: unit.source == "five_cuda/five.cu") Variant.plan.units;
  Context = lib.outputs.context.makeContext {{
    kernel = Kernel;
    options.path = {path_of(ROOT / "tests/golden/five")};
    system = "x86_64-linux";
    buildSystem = "x86_64-linux";
    packageSet = project.packages.x86_64-linux;
    provenance = {{ }};
  }};
  output = lib.outputs.variant.makeVariant Context Variant;
  System = lib.platforms.systems.table.x86_64-linux;
  Backend = lib.backends.all.cuda;
  Framework = lib.frameworks.all.torch;
in
builtins.mapAttrs (_: builtins.attrNames) rec {{
  inherit Kernel Variant Unit System Backend Framework Context;
  # The fields that it has besides those of a Variant.
  Output = removeAttrs output (builtins.attrNames Variant);
  Config = Kernel.config;
  Section = builtins.head Kernel.config.sections;
  # The oldest toolkit leaves a target out.
  Problem = builtins.head (find (variant: variant.warnings != [ ]) Kernel.variants).warnings;
  Reading = Kernel.graph."five_cuda/five.cu";
  Row = builtins.head lib.matrix.torchBuilds.knownRows;
  # The fields that a decision adds.
  Decision = removeAttrs (find (row: row ? excluded) decided.rows) (builtins.attrNames Row);
  Plan = Variant.plan;
  Link = Variant.plan.link;
  Device = Unit.device;
  Pass = builtins.head Unit.device.passes;
  Toolkit = Backend.toolkit;
  Targets = Backend.targets;
  Language = Backend.languages.cu;
  Flags = builtins.head Language.flags.compile;
  Linker = Backend.linker;
  Passes = Language.takeApart {{
    identity = "0123456789abcdef";
    targets = [ ];
    toolkit = "13.0";
    seesTargets = false;
    seesPass = false;
    flags = [ ];
  }};
  Package = Backend.packages.cuda;
  Builder = project.packages.{SYSTEM}.backends.cuda;
  Key = lib.config.schema.sections.general.keys.name;
}}
"""


@cache
def fields() -> dict[str, list[str]]:
    return {name: found for name, found in evaluate(VALUES).items() if name[0].isupper()}


def described() -> dict[str, list[str]]:
    """Return the fields that the page has under each heading."""
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    names = {section.split("\n", 1)[0]: section for section in sections}
    return {
        name: re.findall(r"^\| `([^`]+)` \|", text, re.MULTILINE)
        for name, text in names.items()
        if name not in NO_FIELDS
    }


def test_each_kind_is_described() -> None:
    assert sorted(described()) == sorted(fields())


@pytest.mark.parametrize("kind", sorted(described()))
def test_the_fields_are_those_of_the_data(kind: str) -> None:
    assert sorted(described()[kind]) == fields()[kind]


def test_all_backends_have_the_same_fields() -> None:
    kinds = evaluate(
        f"builtins.mapAttrs (_: builtins.attrNames) (import {path_of(ROOT / 'lib')}).backends.all"
    )
    assert {tuple(found) for found in kinds.values()} == {tuple(fields()["Backend"])}
