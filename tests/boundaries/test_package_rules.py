"""The package set keeps its order, and each rule finds what breaks it and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.boundaries import package_rules as rules
from tests.boundaries.package_rules import MOST, PACKAGE_RULES, attribute_of

ROOT = Path(__file__).resolve().parents[2]

# A small set that keeps all rules.
GOOD = {
    "lib/backends/vpu/default.nix": "_: { }",
    "lib/backends/vpu/pkgs/default.nix": "{ makeIt, vpuToolkit }: makeIt { }",
    "lib/backends/vpu/pkgs/toolkit.nix": "{ makeIt }: makeIt { }",
    "overlays/default.nix": (
        "map group [ ../pkgs/first ] ++ map groupOfBackend x ++ map group [ ../pkgs/second ]"
    ),
    "overlays/group.nix": "folder: final: _: { a = final.callPackage folder { }; }",
    "pkgs/default.nix": "{ }",
    "pkgs/first/make-it/default.nix": (
        "{ system }:\n/**\n  ```\n  makeIt :: Int -> Int\n  ```\n*/\nx: x"
    ),
    "pkgs/second/tool.nix": "# A tool.\n{ lib, makeIt, torch }: makeIt { }",
}

# What breaks each rule: the files that differ, and what is found.
BROKEN = [
    (
        rules.groups_hold_packages,
        {"pkgs/first/pins.json": "{ }"},
        ["pkgs/first/pins.json: not a package"],
    ),
    (
        rules.groups_hold_packages,
        {"pkgs/first/data/pins.json": "{ }"},
        ["pkgs/first/data: not a package"],
    ),
    (
        rules.groups_hold_packages,
        {"pkgs/first/makeMore.nix": "{ }: 1"},
        ["pkgs/first/makeMore.nix: not in kebab-case"],
    ),
    (
        rules.groups_are_short,
        {f"pkgs/second/{letter}.nix": "{ }: 1" for letter in "abcdefghijklmnopqrst"[:MOST]},
        [f"pkgs/second: {MOST + 1} entries, more than {MOST}"],
    ),
    (
        rules.groups_are_short,
        {f"pkgs/{letter}/x.nix": "{ }: 1" for letter in "abcdefghijklmnopqrst"[: MOST - 1]},
        [f"pkgs: {MOST + 1} entries, more than {MOST}"],
    ),
    (
        rules.packages_have_one_name,
        {"pkgs/second/make-it.nix": "{ }: 1"},
        ["pkgs/second/make-it.nix: the attribute of pkgs/first/make-it/default.nix, too"],
    ),
    (
        rules.packages_have_one_name,
        {"pkgs/second/tool.nix": "{ }:\n/**\n  ```\n  makeTool :: Int\n  ```\n*/\n1"},
        ["pkgs/second/tool.nix: its type is called makeTool"],
    ),
    (
        rules.overlays_hold_only_order,
        {"pkgs/third/x.nix": "{ }: 1"},
        ["overlays/default.nix: the group pkgs/third stands there 0 times"],
    ),
    (
        rules.overlays_hold_only_order,
        {"overlays/default.nix": "[ ../pkgs/first ../pkgs/second ../pkgs/first ]"},
        ["overlays/default.nix: the group pkgs/first stands there 2 times"],
    ),
    (
        rules.overlays_hold_only_order,
        {"overlays/default.nix": "[ ../pkgs/first ../pkgs/second ../pkgs/first/make-it ]"},
        ["overlays/default.nix: pkgs/first/make-it is not a group"],
    ),
    (
        rules.overlays_hold_only_order,
        {"overlays/x.nix": "final: _: { x = final.callPackage ../pkgs/second/tool.nix { }; }"},
        ["overlays/x.nix: calls a package", "overlays/x.nix: reaches into pkgs"],
    ),
    (
        rules.packages_take_what_comes_before,
        {"pkgs/first/x.nix": "{ tool }: tool"},
        ["pkgs/first/x.nix: takes tool of the later group pkgs/second"],
    ),
    (
        rules.packages_take_what_comes_before,
        {"lib/backends/npu/pkgs/default.nix": "{ tool }: tool"},
        ["lib/backends/npu/pkgs/default.nix: takes tool of the later group pkgs/second"],
    ),
    (
        rules.packages_take_what_comes_before,
        {"lib/backends/npu/pkgs/x.nix": "{ vpuToolkit }: vpuToolkit"},
        ["lib/backends/npu/pkgs/x.nix: takes vpuToolkit of the backend vpu"],
    ),
    (
        rules.packages_take_what_comes_before,
        {"pkgs/first/x.nix": "{ gone }: gone"},
        ["pkgs/first/x.nix: takes gone, which is no package"],
    ),
    (
        rules.packages_take_what_comes_before,
        {"pkgs/first/x.nix": "1"},
        ["pkgs/first/x.nix: is not a function of the names that it takes"],
    ),
]


def write_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize("rule", PACKAGE_RULES, ids=lambda rule: rule.__name__)
def test_the_package_set_keeps_the_rule(rule: rules.Rule) -> None:
    found = list(rule(ROOT))
    assert not found, "\n".join([rule.__doc__ or "", *found])


@pytest.mark.parametrize(("rule", "files", "expected"), BROKEN)
def test_a_rule_finds_what_breaks_it(
    tmp_path: Path, rule: rules.Rule, files: dict[str, str], expected: list[str]
) -> None:
    assert list(rule(write_tree(tmp_path, {**GOOD, **files}))) == expected


@pytest.mark.parametrize("rule", PACKAGE_RULES, ids=lambda rule: rule.__name__)
def test_a_rule_finds_nothing_else(tmp_path: Path, rule: rules.Rule) -> None:
    assert list(rule(write_tree(tmp_path, GOOD))) == []


def test_every_rule_has_a_counter_example() -> None:
    assert {rule for rule, _, _ in BROKEN} == set(PACKAGE_RULES)


def test_an_entry_is_one_attribute() -> None:
    assert attribute_of("kernel-on-path") == "kernelOnPath"
    assert attribute_of("built-backends.nix") == "builtBackends"
    assert attribute_of("seed") == "seed"
