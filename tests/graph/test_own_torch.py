"""Rows of `torchVersions` that name the wheel of a Torch themselves."""

from typing import Any

import pytest

from tests.derivation import closure_of, named
from tests.evaluation import ROOT, SYSTEM, evaluate, outputs_of, path_of, read_variant
from tests.tiny_kernel import BUILD, TinyKernel

OWN = "torch216-cxx11-cpu-x86_64-linux"
KNOWN = "torch213-cxx11-cpu-x86_64-linux"
WHEEL = "torch-2.16.0.dev20261101+cpu-cp311-cp311-linux_x86_64.whl"
HASH = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
URL = "https://wheels.example/nightly/torch.whl"
BUILD_NAME = 'build = "2.16.0.dev20261101+cpu";'
FETCHED = f'{BUILD_NAME} file = "{WHEEL}"; url = "{URL}"; hash = "{HASH}";'


def rows(wheel: str, row: str = 'torchVersion = "2.16"; cpu = true;') -> str:
    """Return the argument that adds a row with a wheel to the default ones."""
    systems = 'systems = [ "x86_64-linux" ];'
    own = f"{{ {row} {systems} wheel = {{ {wheel} }}; }}"
    return f"torchVersions = defaults: defaults ++ [ {own} ];"


def ask(tiny: TinyKernel, wheel: str, output: str) -> Any:
    """Return an output of a kernel with a row that names this wheel."""
    outputs = outputs_of(tiny.folder, rows(wheel), system="x86_64-linux")
    return evaluate(f"{outputs}.{output}")


def test_a_wheel_at_an_address_is_pinned_by_its_hash(tiny: TinyKernel) -> None:
    variant = read_variant(tiny.folder, OWN, arguments=rows(FETCHED))
    assert variant.plan["torchBuild"] == "2.16.0.dev20261101+cpu"
    pinned = named(variant.drv, WHEEL)
    # No index is asked for it.
    assert (pinned.builder, pinned.env["sourceKind"]) == ("builtin:fetchurl", "vendor")
    assert (pinned.env["url"], pinned.env["outputHash"]) == (URL, HASH)


def test_a_file_of_the_flake_is_the_wheel(tiny: TinyKernel) -> None:
    tiny.write(WHEEL, "stands for a wheel")
    arguments = rows(f"{BUILD_NAME} file = {path_of(tiny.folder / WHEEL)};")
    torch = named(read_variant(tiny.folder, OWN, arguments=arguments).drv, ".dev20261101-cpu")
    (file,) = (path for path in torch.sources if path.endswith(".whl"))
    assert file == torch.env["source"]
    # Edits of the kernel do not change it, so Torch is not unpacked again.
    tiny.write("torch-ext/tiny/more.py", "")
    again = read_variant(tiny.folder, OWN, arguments=arguments)
    assert named(again.drv, ".dev20261101-cpu") == torch


def test_it_is_listed_and_built_by_its_name(tiny: TinyKernel) -> None:
    assert OWN in ask(tiny, FETCHED, "archVariants")
    (listed,) = (each for each in ask(tiny, FETCHED, "variantDetails") if each["name"] == OWN)
    assert listed["hosts"] == ["wheels.example", "registry"]
    assert (listed["bundle"], listed["unavailable"]) == (False, None)
    assert listed["torchVersion"] == "2.16.0.dev20261101+cpu"
    built = closure_of(ask(tiny, FETCHED, "bundle.drvPath"))
    assert not [each.name for each in built if WHEEL in each.name]


def test_a_wheel_for_another_python_is_not_imported(tiny: TinyKernel) -> None:
    other = FETCHED.replace("cp311-cp311", "cp39-cp39")
    (listed,) = (each for each in ask(tiny, other, "variantDetails") if each["name"] == OWN)
    assert listed["notImported"].startswith("its wheel is for CPython 3.9")


def test_a_rebuild_takes_the_place_of_a_known_build(tiny: TinyKernel) -> None:
    wheel = FETCHED.replace("2.16.0.dev20261101", "2.13.0")
    others = 'defaults: builtins.filter (row: row.torchVersion != "2.13") defaults ++ ['
    arguments = rows(wheel, 'torchVersion = "2.13"; cpu = true;').replace(
        "defaults: defaults ++ [", others
    )
    variant = read_variant(tiny.folder, KNOWN, arguments=arguments)
    assert named(variant.drv, "torch-2.13.0+cpu-cp311-cp311-linux_x86_64.whl").env["url"] == URL


def test_the_pins_of_other_systems_stay(tiny: TinyKernel) -> None:
    flake = f"(import {path_of(ROOT)}).lib.genKernelFlakeOutputs"
    wheel = FETCHED.replace("2.16.0.dev20261101", "2.13.0")
    row = 'torchVersion = "2.13"; cpu = true; systems = [ '
    own = f'{{ {row}"x86_64-linux" ]; wheel = {{ {wheel} }}; }}'
    known = f'{{ {row}"aarch64-linux" ]; }}'
    arguments = f"path = {path_of(tiny.folder)}; torchVersions = [ {own} {known} ];"
    asked = "cross.aarch64-linux.redistributable.torch213-cxx11-cpu-aarch64-linux.drvPath"
    outputs = f"({flake} {{ {arguments} }}).legacyPackages.x86_64-linux.{asked}"
    sources = [each.name for each in closure_of(evaluate(outputs)) if "sourceKind" in each.env]
    torches = [name for name in sources if name.startswith("torch-2.13.0")]
    assert torches
    assert WHEEL.replace("2.16.0.dev20261101", "2.13.0") not in torches


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="x86_64-linux is what builds for Arm")
@pytest.mark.parametrize("include", ["<torch/all.h>", "<cstdint>"])
def test_device_code_for_arm_needs_the_wheel_of_the_build_machine(
    tiny: TinyKernel, include: str
) -> None:
    tiny.write("build.toml", BUILD.replace('"cpu"', '"cuda"').replace("answer.cpp", "answer.cu"))
    tiny.write("answer/answer.cu", f"#include {include}\n")
    wheel = FETCHED.replace("x86_64", "aarch64").replace("+cpu", "+cu130")
    row = 'torchVersion = "2.16"; cudaVersion = "13.0"; systems = [ "aarch64-linux" ];'
    arguments = f"torchVersions = [ {{ {row} wheel = {{ {wheel} }}; }} ];"
    outputs = f"{outputs_of(tiny.folder, arguments, system=SYSTEM)}.cross.aarch64-linux"
    (listed,) = evaluate(f"{outputs}.variantDetails")
    if include == "<cstdint>":
        assert listed["unavailable"] is None
        assert evaluate(f"{outputs}.redistributable.{listed['name']}.drvPath")
    else:
        assert "pinned for x86_64-linux, whose compiler reads its headers" in listed["unavailable"]
