"""Variants for Arm that are built on x86_64: where each step runs, and which ones are shared."""

import pytest

from tests.derivation import Derivation, closure_of, named, read_derivation
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, outputs_of

BUILDER, TARGET = "x86_64-linux", "aarch64-linux"
RELU = ROOT / "examples" / "relu"
CPU, CUDA = "torch210-cxx11-cpu", "torch213-cxx11-cu130"

pytestmark = pytest.mark.skipif(SYSTEM != BUILDER, reason=f"{BUILDER} is what builds for {TARGET}")


def read(outputs: str, name: str) -> dict[str, str]:
    """Return the derivations of a variant and of its objects, by name."""
    outline = "v: { drv = v.drvPath; objects = map (x: x.drvPath) v.objects; }"
    found = evaluate(f"({outline}) ({outputs}).redistributable.{name}")
    objects = map(read_derivation, found["objects"])
    return {"": found["drv"], **{item.name: item.path for item in objects}}


def systems_of(drv: str) -> set[str]:
    return {item.system for item in closure_of(drv)} - {"builtin"}


@pytest.fixture(scope="module")
def cross() -> str:
    return f"{outputs_of(RELU)}.cross.{TARGET}"


@pytest.fixture(scope="module")
def cpu(cross: str) -> str:
    return read(cross, f"{CPU}-{TARGET}")[""]


@pytest.mark.parametrize("variant", [CPU, CUDA])
def test_every_step_runs_on_the_machine_that_builds(cross: str, variant: str) -> None:
    assert systems_of(read(cross, f"{variant}-{TARGET}")[""]) == {BUILDER}


def test_all_of_the_kernel_is_of_the_other_processor(cpu: str) -> None:
    link = named(cpu, "-extension")
    compilers = {item.name for item in map(read_derivation, link.inputs)}
    assert "toolchain-gcc-12-aarch64" in compilers
    assert "toolchain-gcc-12" not in compilers
    files = {item.env["file"] for item in closure_of(cpu) if "project" in item.env}
    assert {name for name in files if name.startswith("torch-")} == {
        "torch-2.10.0-cp311-cp311-manylinux_2_28_aarch64.whl"
    }


def test_the_import_is_emulated_and_the_other_checks_are_not(cpu: str) -> None:
    def is_emulated(item: Derivation) -> bool:
        return any(word.endswith("/bin/emulate") for word in item.args)

    checks = [item for item in closure_of(cpu) if item.name.endswith("-check")]
    assert [is_emulated(item) for item in checks].count(True) == 1
    assert is_emulated(named(cpu, "-get-kernel-check"))


def test_device_code_is_one_derivation_for_both_systems(cross: str) -> None:
    def passes(objects: dict[str, str]) -> set[str]:
        (gathered,) = (drv for name, drv in objects.items() if name.endswith(".fatbin.o"))
        found = {drv for drv in read_derivation(gathered).inputs if ".sm_" in drv}
        assert len(found) > 5
        return found

    here = read(outputs_of(RELU), f"{CUDA}-{BUILDER}")
    there = read(cross, f"{CUDA}-{TARGET}")
    assert passes(here) == passes(there)
    names = {name for name in here if name}
    assert names == {name for name in there if name}
    hosts = {name for name in names if name.endswith((".host.o", ".cpp.o", ".fatbin.o"))}
    assert not {here[name] for name in hosts} & {there[name] for name in hosts}


@pytest.mark.parametrize("variant", [CPU, CUDA])
def test_on_arm_itself_nothing_is_of_another_machine(variant: str) -> None:
    own = outputs_of(RELU, system=TARGET)
    assert systems_of(read(own, f"{variant}-{TARGET}")[""]) == {TARGET}


def test_both_machines_have_one_plan(cross: str) -> None:
    own = outputs_of(RELU, system=TARGET)
    for variant in (CPU, CUDA):
        plans = [evaluate(f"({outputs}).plan.{variant}-{TARGET}") for outputs in (own, cross)]
        assert plans[0] == plans[1]


def test_all_are_imported_that_this_python_can_import(cross: str) -> None:
    by_name = {each["name"]: each for each in evaluate(f"({cross}).manifest.variants")}
    for variant in (CPU, CUDA):
        assert by_name[f"{variant}-{TARGET}"]["notImported"] is None


def test_a_machine_says_what_it_cannot_build_for() -> None:
    with pytest.raises(NixError) as refused:
        evaluate(f"({outputs_of(RELU, system=TARGET)}).cross.{BUILDER}.manifest")
    text = str(refused.value)
    assert f"variants for {BUILDER} cannot be built on {TARGET}" in text
    assert f'want   a machine of "{BUILDER}"' in text
