"""Packages in the place of a vendor's are in a package set only if a flake asks for them."""

from tests.evaluation import ROOT, SYSTEM, evaluate, path_of

PACKAGES = f"(import {path_of(ROOT)}).packages.{SYSTEM}"
STAND_INS = f"import {path_of(ROOT / 'stand-ins')}"


def test_the_default_package_set_has_none() -> None:
    names = f"builtins.attrNames (({STAND_INS}).packages {PACKAGES} {{ }})"
    assert evaluate(names)
    assert evaluate(f"builtins.filter (name: {PACKAGES} ? ${{name}}) ({names})") == []


def test_an_overlay_puts_them_in_the_place_of_others() -> None:
    replaced = f"({PACKAGES}.extend ({STAND_INS}).debianHip)"
    same = '(p: (p.rocmToolkit { toolkit = "7.2"; ptxas = null; }).hip.drvPath == '
    same += '(p.rocmDebianHip { toolkit = "7.2"; ptxas = null; }).hip.drvPath)'
    assert evaluate(f"{same} {replaced}") is True
