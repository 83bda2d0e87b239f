"""`check-config`, and the warnings of a build: what to look at before building and publishing."""

import json
from pathlib import Path

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel, init_git
from tests.evaluation import ROOT
from tests.tiny_kernel import TinyKernel


def test_warnings(cli: Cli, kernel: FakeKernel) -> None:
    warning = '[ { at = "kernel.k"; found = "10.3a"; want = "a base of 10.3"; fix = "drop it"; } ]'
    kernel.warnings = ["edition 4 is old"]
    kernel.add("one", warnings=warning)
    kernel.add("two", warnings=warning)
    folder = str(kernel.write())
    expected = """\
warning: edition 4 is old
warning: look at this before you build k (1 problem)

       at     kernel.k
       found  10.3a
       want   a base of 10.3
       fix    drop it
"""
    assert cli("build", folder).stderr.startswith(expected)
    done = cli("check-config", folder)
    assert (done.status, done.stderr) == (0, expected)
    assert done.stdout == f"k: build.toml is right; 2 of 2 variants can be built on {SYSTEM}\n"


def test_large_files(cli: Cli, kernel: FakeKernel) -> None:
    cli.hook = "import kernel_builder.kernel.folder as f; f.LARGE_FILE_BYTES = 10**6"
    kernel.add("a-cpu")
    folder = kernel.write()
    for name in ("data.bin", "more data.bin", "untracked.bin"):
        (folder / name).write_bytes(bytes(10**6))
    (folder / "small.bin").write_bytes(bytes(10**6 - 1))
    (folder / "link.bin").symlink_to("data.bin")
    init_git(folder, "flake.nix", "variants.nix", "build.toml", "*data.bin", "[ls]*.bin")
    for words in (["check-config"], ["build", "--dry-run"]):
        said = cli(*words, str(folder)).stderr
        fixes = ("git rm --cached -- data.bin, and", "git rm --cached -- 'more data.bin', and")
        assert [said.count(fix) for fix in fixes] == [1, 1], said
        assert said.count("a file of 1 MB that git tracks: Nix copies it") == 2


def test_what_matters_before_publishing(cli: Cli, kernel: FakeKernel) -> None:
    flake = kernel.write() / "flake.nix"
    missing = '{ at = "tests/"; found = "none"; want = "tests"; fix = "write some"; }'
    absent = '[ "inner/hidden.h" "inner/new.h" "torch/all.h" ]'
    facts = f"publishing = [ {missing} ]; absent = {absent}; leftOut ="
    flake.write_text(flake.read_text().replace("leftOut =", facts, 1))
    for name in ("hidden.h", "new.h", "other.h"):
        (kernel.folder / "inner").mkdir(exist_ok=True)
        (kernel.folder / "inner" / name).touch()
    (kernel.folder / ".gitignore").write_text("hidden.h\n")
    init_git(kernel.folder, "flake.nix", "variants.nix", "build.toml", ".gitignore")
    done = cli.expect(0, "check-config", "--json", str(kernel.folder))
    found = [(each["at"], each["found"]) for each in json.loads(done.stdout)["warnings"]]
    command = f"git -C {kernel.folder} add -N -- inner/new.h inner/other.h"
    assert found == [
        ("", f"git does not track 2 files, so the build lacks them: {command}"),
        (f"{kernel.folder}/inner/new.h", "git does not track it, so Nix does not see it"),
        (
            f"{kernel.folder}/inner/hidden.h",
            "git ignores it (.gitignore:1:hidden.h), so Nix does not see it",
        ),
        (f"{kernel.folder}/tests", "none"),
    ]
    assert "warning: git does not track 2 files" in done.stderr
    # A build has no need of tests.
    assert "write some" not in cli("build", "--dry-run", str(kernel.folder)).stderr


def test_a_build_notes_a_source_that_it_does_not_compile(cli: Cli, tmp_path: Path) -> None:
    folder = str(TinyKernel(tmp_path / "tiny", {"answer/stray.cpp": "int x;\n"}).folder)
    done = cli("build", "--dry-run", "--here", "--json", folder, KERNEL_BUILDER_FLAKE=str(ROOT))
    assert done.status == 0, done.stderr
    data = json.loads(done.stdout)
    assert data["notes"] == ["answer/stray.cpp: a source that no `src` lists"]
    assert len(data["variants"]) == 1


def test_a_kernel_that_no_build_imports(cli: Cli, kernel: FakeKernel) -> None:
    kernel.add("a-xpu", notImported='"no library"')
    folder = str(kernel.write())
    said = f"k: build.toml is right; 1 of 1 variants can be built on {SYSTEM}\n"
    expected = f"{said}the build imports none of them: no library\n"
    assert cli("check-config", folder).stdout == expected
    assert json.loads(cli("check-config", folder, "--json").stdout)["not-imported"] == {
        "a-xpu": "no library"
    }
    # One that is imported is enough.
    kernel.add("b-cpu")
    assert "imports none" not in cli("check-config", str(kernel.write())).stdout


def test_a_kernel_for_other_systems(cli: Cli, kernel: FakeKernel) -> None:
    done = cli("check-config", str(kernel.write()))
    assert done.stdout == f"k: build.toml is right; no variant is for {SYSTEM}\n"


WARNING = """\
warning: the card is not as CARD.md says (1 problem)

       at     CARD.md
       fix    correct it"""
SCRIPT = "echo before; {}; echo after; echo warning: of a compiler"


def test_a_warning_in_the_logs_of_steps_that_fail_is_shown_once(
    cli: Cli, kernel: FakeKernel
) -> None:
    """A step that ends well has its warnings in its output; its log is text of anybody."""
    lines = "; ".join(f"echo '{line}'" for line in WARNING.splitlines())
    other = lines.replace("the card", "no card")
    for name in ("one", "two"):
        kernel.add(name, script=f'"{SCRIPT.format(lines)}; echo a.cpp:3:5: error: no; exit 1"')
    kernel.add("three", script=f'"{SCRIPT.format(other)}; echo three > $out"')
    kernel.write()
    done = cli.expect(1, "build", str(kernel.folder))
    assert done.stderr.count(WARNING) == 1
    assert "no card" not in done.stderr
    assert "of a compiler" not in done.stderr
    assert "after" not in done.stderr
