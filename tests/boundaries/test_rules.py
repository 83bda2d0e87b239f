"""The tree keeps its rules, and each rule finds what breaks it."""

import subprocess
from pathlib import Path

import pytest

from tests.boundaries import package_rules, rules
from tests.boundaries.package_rules import PACKAGE_RULES, attribute_of
from tests.boundaries.rules import REGISTRIES, RULES
from tests.boundaries.script_rules import no_text_becomes_a_script
from tests.boundaries.source_tree import files_of, split_nix
from tests.boundaries.write_rules import files_are_written_in_one_place, scripts_write_to_own_places
from tests.tiny_kernel import write_files

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("rule", [*RULES, *PACKAGE_RULES], ids=lambda rule: rule.__name__)
def test_the_tree_keeps_the_rule(rule: rules.Rule) -> None:
    found = list(rule(ROOT))
    assert not found, "\n".join([rule.__doc__ or "", *found])


def test_the_tree_is_the_whole_repository() -> None:
    names = {file.name for file in files_of(ROOT)}
    assert names >= {"default.nix", "flake.nix", "install.sh", "lib/default.nix"}
    assert not [name for name in names if name.startswith(".git/")]


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this is no checkout")
def test_git_takes_every_file() -> None:
    ours = ["backends", "docs", "lib", "overlays", "pkgs", "python", "stand-ins", "tests", "tools"]
    names = "".join(f"{file.name}\n" for file in files_of(ROOT) if file.is_below(*ours))
    # Files added by force count too, because git would not take the next file beside them.
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
    (rules.lib_makes_no_derivation, {"lib/x.nix": "{ makeStep }: makeStep { }"}),
    (rules.lib_makes_no_derivation, {"lib/x.nix": "{ runStep }: runStep { }"}),
    (rules.lib_makes_no_derivation, {"lib/x.nix": "derivation { }"}),
    (rules.builders_do_not_parse, {"pkgs/x/default.nix": '{ }: match "a.*" name'}),
    (rules.builders_do_not_parse, {"backends/x/pkgs/a.nix": '{ }: elem "-fa" unit.flags'}),
    (rules.flags_stand_in_tables, {"pkgs/compile/x.nix": '{ }: unit.flags ++ [ "-O3" ]'}),
    (rules.flags_stand_in_tables, {"backends/x/pkgs/a.nix": '{ }: { flags = "--fast"; }'}),
    (rules.flags_stand_in_tables, {"lib/plan/x.nix": 'map (name: "-l${name}") names'}),
    (rules.lib_makes_no_derivation, {"lib/x/build.sh": "true"}),
    (rules.overlays_hold_no_data, {"overlays/x.nix": 'final: _: { x = final.torchOf "2.13"; }'}),
    (rules.overlays_hold_no_data, {"overlays/x.nix": f'"{"0f" * 16}"'}),
    (rules.overlays_hold_no_data, {"overlays/x.nix": '"sha256-abc="'}),
    (rules.exclusions_have_a_reason, {"lib/outputs/x.nix": "filter (v: variant.problems == [ ])"}),
    (rules.exclusions_have_a_reason, {"lib/outputs/x.nix": "{ cannotBuild = null; }"}),
    (rules.exclusions_have_a_reason, {"lib/plan/x.nix": "filter (bound: bound.admits row) list"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ self }: self.rev"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ inputs }: inputs.x"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "{ x = /usr/bin/gcc; }"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": "~/gcc"}),
    (rules.packages_stand_alone, {"pkgs/x/default.nix": '{ builder = "/bin/sh"; }'}),
    (rules.one_module_starts_processes, TWO),
    (rules.one_module_starts_processes, {**TWO, "python/src/b.py": "from os import execvp\n"}),
    (rules.one_module_starts_processes, {**TWO, "python/src/b.py": "if 1: from pty import x\n"}),
    (rules.stages_read_sections, {"lib/plan/x.nix": 'map (paths.join "") section.src'}),
    (rules.stages_read_sections, {"lib/plan/x.nix": "config.components.a.src"}),
    (rules.stages_read_sections, {"lib/matrix/x.nix": "kernel.config.torch.src"}),
    (rules.stages_read_sections, {"lib/matrix/x.nix": "section: section.isBinding"}),
    (rules.stages_read_sections, {"lib/plan/x.nix": "section: section.backend == null"}),
    (rules.stages_read_sections, {"lib/plan/x.nix": "s: s.name == config.framework.name"}),
    (rules.a_system_is_a_row, {"lib/x.nix": '{ isArm = system == "aarch64-linux"; }'}),
    (rules.a_system_is_a_row, {"pkgs/x/check.py": 'LOADER = "ld-linux-x86-64.so.2"\n'}),
    (rules.a_system_is_a_row, {"tools/lock/x.py": 'NAMES = ["amd64"]\n'}),
    (rules.a_system_is_a_row, {"lib/matrix/row.nix": "{ }"}),
    (rules.no_registry_is_named, {"README.md": f"https://{REGISTRIES[0]}/simple"}),
    (rules.no_registry_is_named, {"pins.json": f"http://{REGISTRIES[2].upper()}/debian"}),
    (rules.no_registry_is_named, {"a.sh": f"curl http://{ADDRESS}:3141/index"}),
    (no_text_becomes_a_script, {"pkgs/x/a.sh": 'sed -e "s|@out@|$out|" -e "s|@a@|$name|"'}),
    (no_text_becomes_a_script, {"pkgs/x/a.sh": 'sed -i "s#$(cat name)##"'}),
    (no_text_becomes_a_script, {"pkgs/x/a.sh": 'printf "%s=\'%s\'\\n" name "$name"'}),
    (no_text_becomes_a_script, {"backends/x/pkgs/a.nix": "{ x }: \"x='${x}'\""}),
    (no_text_becomes_a_script, {"pkgs/x/a.nix": "replaceStrings [ \"'\" ] [ \"'\\\\''\" ]"}),
    *(
        (files_are_written_in_one_place, {f"python/src/kernel_builder/{name}": text})
        for name, text in {
            "a.py": "open(file, 'w')",
            "b.py": "with path.open(mode='ab') as opened: pass",
            "c/d.py": "os.open(path, os.O_CREAT | flags)",
            "e.py": "path.write_text('x')",
            "f.py": "from shutil import rmtree\nrmtree(folder)",
            "g.py": "import os\nos.replace(a, b)",
            "h.py": "new.replace(old)",
            "variants/copy.py": "text.replace('a', 'b')",
        }.items()
    ),
    (files_are_written_in_one_place, {"pkgs/author/lock-kernels/x.py": "path.touch()"}),
    (scripts_write_to_own_places, {"pkgs/author/kernel-shell/a.sh": 'echo x >"$kernel/x"'}),
    (scripts_write_to_own_places, {"pkgs/author/kernel-shell/a.sh": 'mkdir -p "$PWD/x"'}),
    (rules.examples_are_not_locked, {"examples/x/flake.lock": "{}"}),
]


@pytest.mark.parametrize(("rule", "files"), BROKEN)
def test_a_rule_finds_what_breaks_it(
    tmp_path: Path, rule: rules.Rule, files: dict[str, str]
) -> None:
    found = list(rule(write_files(tmp_path, files)))
    assert found
    assert {line.split(":")[0] for line in found} == set(files)


# A small package set that keeps all rules.
GOOD = {
    "backends/vpu/default.nix": "_: { }",
    "backends/vpu/pkgs/default.nix": "{ makeIt, vpuToolkit }: makeIt { }",
    "backends/vpu/pkgs/toolkit.nix": "# vpuToolkit\n{ makeIt }: makeIt { }",
    "overlays/default.nix": (
        "let foundations = map group [ ../pkgs/first ]; in foundations"
        " ++ map groupOfBackend x ++ map group [ ../pkgs/second ]"
    ),
    "overlays/group.nix": "folder: final: _: { a = final.callPackage folder { }; }",
    "pkgs/default.nix": "{ }",
    "pkgs/first/make-it/default.nix": "# makeIt\n{ system }: x: x",
    "pkgs/second/tool.nix": "# A tool.\n{ lib, makeIt, torch }: makeIt { }",
}
PLACES = package_rules.packages_take_what_comes_before
ORDER = package_rules.overlays_hold_only_order
# A rule of that set, a file that breaks it with its text, and what is found.
BROKEN_SETS = [
    (package_rules.groups_hold_packages, "pkgs/first/data/pins.json", "{ }",
     "pkgs/first/data: not a package"),
    (package_rules.packages_have_one_name, "pkgs/second/make-it.nix", "{ }: 1",
     "pkgs/second/make-it.nix: the attribute of pkgs/first/make-it/default.nix, too"),
    (package_rules.packages_are_found_by_search, "pkgs/second/other-tool.nix", "# other-tool",
     "pkgs/second/other-tool.nix: does not name otherTool"),
    (ORDER, "pkgs/third/x.nix", "{ }: 1",
     "overlays/default.nix: the group pkgs/third stands there 0 times"),
    (ORDER, "overlays/default.nix", "[ ../pkgs/first ../pkgs/second ../pkgs/first ]",
     "overlays/default.nix: the group pkgs/first stands there 2 times"),
    (ORDER, "overlays/x.nix", "final: _: { x = final.callPackage ./x { }; }",
     "overlays/x.nix: calls a package"),
    (ORDER, "overlays/x.nix", "import ../pkgs/second/tool.nix",
     "overlays/x.nix: reaches into pkgs"),
    (PLACES, "pkgs/first/x.nix", "{ tool }: tool",
     "pkgs/first/x.nix: takes tool of the later group pkgs/second"),
    (PLACES, "pkgs/first/x.nix", "{ torch }: torch",
     "pkgs/first/x.nix: takes torch, but is the same for all variants"),
    (PLACES, "backends/npu/pkgs/x.nix", "{ vpuToolkit }: vpuToolkit",
     "backends/npu/pkgs/x.nix: takes vpuToolkit of the backend vpu"),
    (PLACES, "pkgs/first/x.nix", "{ gone }: gone",
     "pkgs/first/x.nix: takes gone, which is no package"),
    (PLACES, "pkgs/first/x.nix", "1",
     "pkgs/first/x.nix: is not a function of the names that it takes"),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "file", "text", "expected"), BROKEN_SETS)
def test_a_rule_of_packages_finds_what_breaks_it(
    tmp_path: Path, rule: rules.Rule, file: str, text: str, expected: str
) -> None:
    good, broken = tmp_path / "good", tmp_path / "broken"
    assert list(rule(write_files(good, GOOD))) == []
    assert list(rule(write_files(broken, {**GOOD, file: text}))) == [expected]


def test_every_rule_has_a_counter_example() -> None:
    assert {rule for rule, *_ in [*BROKEN, *BROKEN_SETS]} == {*RULES, *PACKAGE_RULES}


def test_an_entry_is_one_attribute() -> None:
    assert attribute_of("kernel-on-path") == "kernelOnPath"
    assert attribute_of("built-backends.nix") == "builtBackends"


def test_ignored_files_are_not_looked_at(tmp_path: Path) -> None:
    tree = {".git/a": "", "__pycache__/b": "", "x.pyc": "", "result-1/c": "", "tests/build/d": ""}
    assert [file.name for file in files_of(write_files(tmp_path, tree))] == ["tests/build/d"]


NIX = """\
a "b ${c { d = "e"; }} \\"f" # g
/* h
 */ + ''i ''${j} ${k}''
"""


def test_nix_code_is_told_from_strings() -> None:
    code, strings = split_nix(NIX)
    assert strings == ["e", 'b ${} \\"f', "i ''${j} ${}"]
    assert [word for word in "abcdefghijk" if word in code] == ["a", "c", "d", "k"]
