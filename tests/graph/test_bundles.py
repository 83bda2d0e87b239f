"""The variants of a bundle, and the message if it has none."""

import pytest

from tests.derivation import read_derivation
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, outputs_of, path_of
from tests.tiny_kernel import BUILD, TinyKernel

OLD, NEW = f"torch29-cxx11-cpu-{SYSTEM}", f"torch213-cxx11-cpu-{SYSTEM}"
# All builds of Torch are in bundles, except 2.9.
LEFT_OUT = """torchVersions = map (row: row // { bundleBuild = row.torchVersion != "2.9"; });"""


def bundle_of(kernel: TinyKernel, output: str, arguments: str = LEFT_OUT) -> set[str]:
    drv = evaluate(f"(({outputs_of(kernel.folder, arguments)}).{output}).drvPath")
    lines = read_derivation(drv).env["parts"].splitlines()
    return {name for _, name in (line.split(" ", 1) for line in lines) if name.endswith(SYSTEM)}


@pytest.mark.parametrize("output", ["bundle", "backendBundle.cpu"])
def test_a_bundle_has_what_the_list_of_builds_says(tiny: TinyKernel, output: str) -> None:
    names = bundle_of(tiny, output)
    assert NEW in names
    assert OLD not in names


def test_what_bundles_do_not_have_is_built_by_name(tiny: TinyKernel) -> None:
    outputs = outputs_of(tiny.folder, LEFT_OUT)
    assert evaluate(f"({outputs}).redistributable ? {OLD} && ({outputs}).devShells ? {OLD}")
    assert bundle_of(tiny, f'bundleOf [ "{OLD}" ]') == {OLD}


def test_a_kernel_that_bundles_have_nothing_of(tiny: TinyKernel) -> None:
    tiny.write("build.toml", BUILD.replace("[torch]", '[torch]\nmaxver = "2.9"'))
    with pytest.raises(NixError, match=f"no variant that bundles have on {SYSTEM}.*{OLD}"):
        bundle_of(tiny, "bundle")


def test_a_kernel_for_other_systems(tiny: TinyKernel) -> None:
    tiny.write("build.toml", BUILD.replace('"cpu"', '"metal"'))
    with pytest.raises(NixError, match=f"no variant on {SYSTEM}; its variants: torch29-metal"):
        bundle_of(tiny, "bundle")


def test_a_variant_for_all_systems_is_named_once() -> None:
    outputs = outputs_of(ROOT / "examples/softmax", "")
    assert evaluate(f"({outputs}).variants") == ["torch-cuda", "torch-rocm", "torch-xpu"]


def test_each_reason_is_told_once(tiny: TinyKernel) -> None:
    component = BUILD[BUILD.index("[kernel.answer]") :]
    lacking = BUILD + component.replace("answer]", "_second]").replace("answer.cpp", "second.cpp")
    lacking = lacking.replace('"cpu"', '"cuda"').replace('["torch"]', '["torch", "cutlass_4_0"]')
    tiny.write("build.toml", lacking)
    tiny.write("answer/second.cpp", "\n")
    without = 'removeAttrs previous.dependencies [ "cutlass_4_0" ]'
    overlays = f"overlays = [ (_: previous: {{ dependencies = {without}; }}) ];"
    with pytest.raises(NixError) as error:
        bundle_of(tiny, "bundle", LEFT_OUT + overlays)
    said = str(error.value)
    reason = "cutlass_4_0 is not in the package set, which has "
    assert said.count(reason) == 1
    assert "cutlass_4_0, cutlass_4_0" not in said
    (line,) = (line for line in said.splitlines() if reason in line)
    assert f"torch210-cxx11-cu126-{SYSTEM} torch210-cxx11-cu128-{SYSTEM}" in line


def packages_of(kernel: TinyKernel, wanted: str, arguments: str = "") -> object:
    """Evaluate an expression in which `packages` are a flake's packages for this system."""
    outputs = (
        f"(import {path_of(ROOT)}).lib.genKernelFlakeOutputs "
        f"{{ self = {{ }}; path = {path_of(kernel.folder)}; {arguments} }}"
    )
    return evaluate(f"let packages = ({outputs}).packages.{SYSTEM}; in {wanted}")


@pytest.mark.parametrize("output", ["default", "bundle", "ci"])
def test_what_cannot_be_built_can_be_listed(tiny: TinyKernel, output: str) -> None:
    # `nix flake show` needs the name alone. A build shows the reason.
    without = "overlays = [ (_: _: { hasTorch = _: false; }) ];"
    assert packages_of(tiny, f"{{ inherit (packages.{output}) name type; }}", without) == {
        "name": "tiny",
        "type": "derivation",
    }
    with pytest.raises(NixError, match=f"no variant .*on {SYSTEM}(.|\n)*no wheel of Torch"):
        packages_of(tiny, f"packages.{output}.drvPath", without)


def test_where_a_kernel_has_no_variant_there_is_no_package(tiny: TinyKernel) -> None:
    tiny.write("build.toml", BUILD.replace('"cpu"', '"metal"'))
    assert packages_of(tiny, "packages") == {}
