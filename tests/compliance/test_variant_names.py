"""Nix and Python read the same parts of names of variants."""

from pathlib import Path

from checking.variant import Variant

from kernel_builder.nix.systems import is_for_system
from tests.evaluation import ROOT, evaluate, path_of

# Names of kernels of all kinds, and names that no variant has, as Nix reads them.
PARTS = f"""
let
  lib = import {path_of(ROOT / "lib")};
  roots = [
    {path_of(ROOT / "tests/golden/five")}
    {path_of(ROOT / "examples/axpy")}
    {path_of(ROOT / "examples/rope")}
    {path_of(ROOT / "examples/rmsnorm")}
  ];
  variants = builtins.concatMap (root: (lib.plan.kernel.readKernel {{
    inherit root;
    torchVersions = defaults: defaults;
    brought = [ ];
  }}).variants) roots;
  others = [ "torch-npu" "torch213-cu130" "rest" "a.b" "torch213-cpu-sparc" ];
in
lib.values.attributes.generate (map (variant: variant.name) variants ++ others)
  lib.matrix.names.readVariantName
"""


def test_both_languages_read_the_same_parts() -> None:
    parts = evaluate(PARTS)
    assert len(parts) > 40
    for name, nix in parts.items():
        variant = Variant(Path(name), name)
        assert variant.is_known == (nix is not None), name
        system = nix and nix["system"]
        assert (variant.compute, variant.system) == (nix["compute"] if nix else "", system or "")
        assert variant.is_noarch == (nix is not None and system is None), name
        assert variant.is_stable == bool(nix and nix["label"] == "torch-stable-abi"), name
        if nix:
            assert is_for_system(name, "x86_64-linux") == (system in (None, "x86_64-linux")), name
