"""The tree keeps its rules, and each rule finds what breaks it."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.boundaries import rules
from tests.boundaries.rules import REGISTRIES, RULES
from tests.boundaries.source_tree import files_of, split_nix

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule: rules.Rule) -> None:
    found = list(rule(ROOT))
    assert not found, "\n".join([rule.__doc__ or "", *found])


def test_the_tree_is_the_whole_repository() -> None:
    names = {file.name for file in files_of(ROOT)}
    assert names >= {"default.nix", "flake.nix", "install.sh", "lib/default.nix"}
    assert not [name for name in names if name.startswith(".git/")]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_git_takes_every_file() -> None:
    ours = ("docs", "lib", "overlays", "pkgs", "python", "tests")
    names = "".join(f"{file.name}\n" for file in files_of(ROOT) if file.is_below(*ours))
    # Those as well that somebody has added by force: the next file beside them is not.
    argv = ["git", "-C", str(ROOT), "check-ignore", "--no-index", "--stdin"]
    done = subprocess.run(argv, input=names, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")


ADDRESS = ".".join(["10", "0", "0", "7"])
TWO = {"python/src/a.py": "import subprocess\n", "python/src/b.py": "import os\nos.system('x')\n"}

# Trees that break a rule.
BROKEN = [
    (rules.lib_is_used_as_a_whole, {"pkgs/x/default.nix": "import ../../lib/paths.nix"}),
    (rules.lib_is_used_as_a_whole, {"overlays/x.nix": "import ../lib"}),
    (rules.lib_is_used_as_a_whole, {"flake.nix": "import ./lib/matrix.nix { }"}),
    (
        rules.overlays_hold_no_data,
        {"overlays/x.nix": 'final: _: { torch = final.torchOf "2.13"; }'},
    ),
    (rules.overlays_hold_no_data, {"overlays/x.nix": f'"{"0f" * 16}"'}),
    (rules.overlays_hold_no_data, {"overlays/x.nix": '"sha256-abc="'}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ self }: self.rev"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ inputs }: inputs.x"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ x = /usr/bin/gcc; }"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "~/gcc"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": '{ builder = "/bin/sh"; }'}),
    (rules.one_module_starts_processes, TWO),
    (
        rules.one_module_starts_processes,
        {**TWO, "python/src/b.py": "from os import execvp\n"},
    ),
    (
        rules.one_module_starts_processes,
        {**TWO, "python/src/b.py": "def f():\n    from subprocess import run\n"},
    ),
    (rules.no_registry_is_named, {"README.md": f"https://{REGISTRIES[0]}/simple"}),
    (rules.no_registry_is_named, {"pins.json": f"http://{REGISTRIES[2].upper()}/debian"}),
    (rules.no_registry_is_named, {"a.sh": f"curl http://{ADDRESS}:3141/index"}),
    (rules.examples_are_not_locked, {"examples/x/flake.lock": "{}"}),
]


def write_tree(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


@pytest.mark.parametrize(("rule", "files"), BROKEN)
def test_a_rule_finds_what_breaks_it(
    tmp_path: Path, rule: rules.Rule, files: dict[str, str]
) -> None:
    found = list(rule(write_tree(tmp_path, files)))
    assert found
    assert {line.split(":")[0] for line in found} == set(files)


def test_every_rule_has_a_counter_example() -> None:
    assert {rule for rule, _ in BROKEN} == set(RULES)


def test_ignored_files_are_not_looked_at(tmp_path: Path) -> None:
    tree = {".git/a": "", "__pycache__/b": "", "x.pyc": "", "result-1/c": "", "tests/build/d": ""}
    assert [file.name for file in files_of(write_tree(tmp_path, tree))] == ["tests/build/d"]


NIX = """\
a "b ${c { d = "e"; }} \\"f" # g
/* h
 */ + ''i ''${j} ${k}''
"""


def test_nix_code_is_told_from_strings() -> None:
    code, strings = split_nix(NIX)
    assert strings == ["e", 'b ${} \\"f', "i ''${j} ${}"]
    assert [word for word in "abcdefghijk" if word in code] == ["a", "c", "d", "k"]
