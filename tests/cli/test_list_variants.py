"""`list-variants --explain`: what each variant is, what it leaves out, why it cannot be built."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import SYSTEM, FakeKernel
from tests.cuda.cuda_kernel import STABLE

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

BUILD_TOML = """\
[general]
name = "two"
backends = ["cuda"]

[torch]
src = ["a.cpp"]
minver = "2.10"
maxver = "2.10"

[kernel.a]
backend = "cuda"
depends = ["torch"]
src = ["a.cu"]
cuda-capabilities = ["9.0", "10.3a"]

[kernel.b]
backend = "cuda"
depends = ["torch"]
src = ["b.cu"]
cuda-capabilities = ["10.3a"]
"""


def write(folder: Path) -> None:
    (folder / "build.toml").write_text(BUILD_TOML)
    for name in ("a.cpp", "a.cu", "b.cu"):
        (folder / name).write_text("")
    (folder / "torch-ext" / "two").mkdir(parents=True)
    (folder / "torch-ext" / "two" / "__init__.py").write_text("")


needs_variants_of_x86 = pytest.mark.skipif(
    SYSTEM != "x86_64-linux", reason="names variants of x86_64-linux"
)


def test_example(cli: Cli) -> None:
    done = cli.expect(0, "list-variants", "--explain", str(EXAMPLES / "capabilities"))
    paragraph = f"""\
{STABLE}
  backend: cuda 13.0
  torch: 2.14.1
  stable ABI: 2.10
  sources: registry
  component hopper: 9.0a
  component portable: 8.0+PTX
"""
    assert paragraph in done.stdout


@needs_variants_of_x86
def test_what_is_left_out_and_why_not(cli: Cli) -> None:
    write(cli.folder)
    done = cli.expect(0, "list-variants", "--explain")
    by_name = {each.partition("\n")[0]: each for each in done.stdout.split("\n\ntorch")}
    old = by_name["210-cxx11-cu128-x86_64-linux"]
    assert "sources: registry, developer.download.nvidia.com" in old
    # One of two is left out of one component, and nothing stays of the other.
    newer = "12.9, 13.0, 13.2, 13.5"
    assert f'"10.3a", left out: only CUDA {newer} can compile for this capability' in old
    assert "  cannot be built:\n" in old
    assert "\n    at     kernel.b.cuda-capabilities\n    found  only targets" in old
    new = by_name["210-cxx11-cu130-x86_64-linux"]
    assert "  component a: 9.0 10.3a\n  component b: 10.3a" in new
    details = json.loads(cli("list-variants", "--explain", "--json").stdout)["variants"]
    assert {"is-of-torch", "not-imported", "stable-abi"} < set(details[0])


def test_for_one_capability(cli: Cli) -> None:
    folder = str(EXAMPLES / "capabilities")
    done = cli.expect(0, "list-variants", "--capability", "9.0", folder)
    assert f"{STABLE}  partial: 9.0\n" in done.stdout
    names = json.loads(cli("list-variants", "--capability", "9.0", "--json", folder).stdout)[
        "variants"
    ]
    assert names == [line.split()[0] for line in done.stdout.splitlines()]
    explained = cli("list-variants", "--capability", "9.0", "--explain", folder).stdout
    assert "  partial: 9.0\n  component hopper: 9.0a\n  component portable: 8.0+PTX\n" in explained
    # The whole variant has no other code for it either.
    assert "warning" not in explained


@needs_variants_of_x86
def test_for_a_capability_that_some_toolkits_lack(cli: Cli) -> None:
    write(cli.folder)
    done = cli("build", "--capability", "10.3", "--dry-run")
    rows = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    left = rows["torch210-cxx11-cu128-x86_64-linux"]
    assert "left out" in left
    assert "partial: 10.3" in rows["torch210-cxx11-cu130-x86_64-linux"]


@pytest.mark.parametrize(
    ("words", "status", "found"),
    [
        ("build --rocm-arch gfx942", 1, 'found  "gfx942", a target of rocm'),
        ("build --wheels --capability 9.0", 2, "whole variants"),
        ("build-and-upload --capability 9.0", 2, "--capability"),
    ],
)
def test_builds_that_no_targets_narrow(cli: Cli, words: str, status: int, found: str) -> None:
    done = cli(*words.split(), str(EXAMPLES / "capabilities"))
    assert (done.status, done.stdout, found in done.stderr) == (status, "", True)


def test_a_kernel_of_another_system_has_no_shell(cli: Cli) -> None:
    (cli.folder / "build.toml").write_text(
        '[general]\nname = "two"\nbackends = ["metal"]\n\n[torch-noarch]\n'
    )
    package = cli.folder / "torch-ext" / "two"
    package.mkdir(parents=True)
    (package / "__init__.py").touch()
    for words in ((), ("--variant", "torch213-cpu")):
        done = cli.expect(1, "devshell", *words)
        reason = f"no variant for this system: there is no Torch for metal on {SYSTEM}"
        assert f"found  {reason}\n" in done.stderr
        assert "kernel-builder list-variants" in done.stderr
    done = cli("list-variants", "--explain")
    reason = f"no variant for metal\n  there is no Torch for metal on {SYSTEM}\n"
    said = f"no variant is for this system\n\n{reason}"
    assert done.stdout == said


LEFT_OUT = """[
  { kind = "bounds"; at = "general.cuda.minver";
    backend = "cuda"; names = [ "torch29-cu126" ]; found = "the bound";
    want = "a CUDA within it"; fix = "widen it"; }
  { kind = "list"; at = "torchVersions";
    backend = "cuda"; names = [ "torch28-cu124" ]; found = "the list";
    want = "a build"; fix = "select it"; }
  { kind = "backends"; at = "general.backends";
    backend = "xpu"; names = [ ]; found = "it is not listed";
    want = "cuda"; fix = "list it"; }
]"""


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["--backend", "cuda"], '"cuda": the bound'),
        (["--backend", "xpu"], '"xpu": it is not listed'),
        (["--variant", "torch29-cu126"], '"torch29-cu126": the bound'),
        (["--variant", "torch28-cu124"], '"torch28-cu124": the list'),
    ],
)
def test_the_reason_for_names_that_a_kernel_lacks(
    cli: Cli, kernel: FakeKernel, words: list[str], found: str
) -> None:
    if "xpu" not in words:
        kernel.add("a-cpu")
    kernel.left_out = LEFT_OUT
    done = cli.expect(2, "build", str(kernel.write()), *words)
    assert f"error: k has no such variants on {SYSTEM} (1 problem)" in done.stderr
    assert f"found  {found}\n" in done.stderr
