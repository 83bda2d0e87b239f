"""Every variant has shells and tests; if nothing can import its Torch, some throw the reason."""

from pathlib import Path
from typing import Any

import pytest

from tests.derivation import closure_of
from tests.evaluation import SYSTEM, NixError, evaluate, outputs_of
from tests.tiny_kernel import BUILD, TinyKernel

# The package set of this flake can import no Torch for XPU, and 2.13.0 for the CPU.
REASON = "it's without a library"
NO_XPU = f"""overlays = [ (_: previous: {{
  importObstacle = {{ plan, ... }}:
    if plan.backend == "xpu" then "{REASON}" else null;
}}) ];"""
OUTPUTS = ("benchmarks", "ciTests", "testShells")
FOR_XPU = """
[kernel.x]
backend = "xpu"
depends = ["torch"]
src = ["answer/answer.cpp"]
"""
# A build of Torch that does not exist.
ROW = f'{{ torchVersion = "2.99"; cpu = true; systems = [ "{SYSTEM}" ]; }}'
UNPINNED = f"torchVersions = rows: rows ++ [ {ROW} ];"
NOT_BUILT = f"torch299-cxx11-cpu-{SYSTEM}"
XPU = f"torch213-cxx11-xpu20260-{SYSTEM}"


@pytest.fixture
def both(tmp_path: Path) -> TinyKernel:
    tiny = TinyKernel(tmp_path)
    tiny.write("build.toml", BUILD.replace('["cpu"]', '["cpu", "xpu"]') + FOR_XPU)
    return tiny


@pytest.fixture
def xpu(tmp_path: Path) -> TinyKernel:
    tiny = TinyKernel(tmp_path)
    general, _, _ = BUILD.partition("[kernel.")
    tiny.write("build.toml", general.replace('["cpu"]', '["xpu"]') + FOR_XPU)
    return tiny


def test_all_have_a_development_shell(both: TinyKernel) -> None:
    outputs = outputs_of(both.folder, NO_XPU)
    names = set(evaluate(f"({outputs}).archVariants"))
    for output in (*OUTPUTS, "project"):
        assert set(evaluate(f"builtins.attrNames ({outputs}).{output}")) == names
    found = evaluate(f"builtins.mapAttrs (_: shell: shell.drvPath) ({outputs}).devShells")
    # `nix develop` has the built kernel.
    built = [item.name for item in closure_of(found["default"])]
    assert [name for name in built if name.endswith("-extension")]
    assert set(found) == names | {"default", "test"}
    assert len(set(found.values())) == len(found)


@pytest.mark.parametrize("output", OUTPUTS)
def test_what_cannot_run_says_why(both: TinyKernel, output: str) -> None:
    with pytest.raises(NixError) as refused:
        evaluate(f"({outputs_of(both.folder, NO_XPU)}).{output}.{XPU}.drvPath")
    text = str(refused.value)
    assert f"at     {output}.{XPU}\n       found  {REASON}\n" in text


def test_what_cannot_be_built_says_why(both: TinyKernel) -> None:
    outputs = outputs_of(both.folder, UNPINNED)
    other = next(each for each in ("aarch64-linux", "x86_64-linux") if each != SYSTEM)
    unpinned = r"no wheel of Torch 2\.99\.0\+cpu is pinned"
    reasons = {f"{output}.{NOT_BUILT}": unpinned for output in (*OUTPUTS, "devShells")}
    reasons |= {
        NOT_BUILT: unpinned,
        f"torch213-cxx11-cpu-{other}": f"found  a variant for {other}\n",
    }
    for name, reason in reasons.items():
        with pytest.raises(NixError, match=reason):
            evaluate(f"({outputs}).{name}.drvPath")


def flake_shells(folder: Path, arguments: str) -> dict[str, Any]:
    """Return the paths that `nix flake check` evaluates."""
    flake = outputs_of(folder, arguments).replace("legacyPackages", "devShells")
    return dict(evaluate(f"builtins.mapAttrs (_: shell: shell.drvPath) ({flake})"))


def test_the_flake_has_only_shells_that_can_be_evaluated(both: TinyKernel) -> None:
    found = flake_shells(both.folder, NO_XPU + UNPINNED)
    assert {"default", "test", XPU} < set(found)
    assert NOT_BUILT not in found


def test_a_kernel_that_nothing_runs_has_a_default_shell_without_it(xpu: TinyKernel) -> None:
    found = flake_shells(xpu.folder, NO_XPU)
    assert "default" in found
    assert "test" not in found
    # The kernel is not built to enter a shell that cannot run it.
    names = {item.name for item in closure_of(found["default"])}
    assert not [name for name in names if name.endswith("-extension")]
    environment = evaluate(f"({outputs_of(xpu.folder, NO_XPU)}).devShells.default.files.notice")
    assert environment.endswith(f"cannot be imported: {REASON}")
    tests = evaluate(f"({outputs_of(xpu.folder, NO_XPU)}).ci-test.untested")
    assert tests == f"xpu: {REASON}"


def test_the_first_one_that_runs_is_the_first_one_offered(both: TinyKernel) -> None:
    offered = evaluate(f"({outputs_of(both.folder, NO_XPU)}).authorVariants")
    backends = [each["backend"] for each in offered]
    assert backends == sorted(backends)
    assert {"cpu", "xpu"} == set(backends)
