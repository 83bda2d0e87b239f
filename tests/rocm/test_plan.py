"""The derivations that compile a kernel for AMD GPUs, and which of them an edit changes."""

import re
from pathlib import Path

import pytest

from tests.derivation import closure_of
from tests.evaluation import ROOT, NixError, evaluate, outputs_of, path_of
from tests.rocm.rocm_kernel import (
    BUILD,
    SCALE,
    SCALE_SOURCE,
    SHIFT_SOURCE,
    STABLE,
    read_rocm,
    rocm_kernel,
    with_archs,
)

TOOLKIT = re.compile(r"rocm-[0-9.]+")


def test_a_unit_has_a_derivation_for_each_architecture_and_one_for_the_host(tmp_path: Path) -> None:
    variant = read_rocm(rocm_kernel(tmp_path).folder)
    for source in (SCALE_SOURCE, SHIFT_SOURCE):
        passes = variant.passes(source)
        assert sorted(passes) == ["gfx90a", "gfx942"]
        host = variant.part(source, ".host.o")
        assert host.env["targets"] == "--offload-host-only"
        assert "gfx" not in host.env["flags"]
        # hipify translates a unit once for all of its passes. Sources in HIP are not translated.
        trees = {item.env.get("translated") for item in (host, *passes.values())}
        assert len(trees) == 1
        assert (trees == {None}) == (source == SHIFT_SOURCE)


def test_another_architecture_leaves_the_other_parts_as_they_are(tmp_path: Path) -> None:
    before = read_rocm(rocm_kernel(tmp_path / "two").folder)
    archs = with_archs("gfx942", "gfx1100", "gfx90a")
    after = read_rocm(rocm_kernel(tmp_path / "three", **archs).folder)
    for source in (SCALE_SOURCE, SHIFT_SOURCE):
        old, new = before.passes(source), after.passes(source)
        assert set(new) - set(old) == {"gfx1100"}
        assert {name: new[name].path for name in old} == {
            name: item.path for name, item in old.items()
        }
        assert before.part(source, ".host.o").path == after.part(source, ".host.o").path


def test_an_edit_translates_and_compiles_one_unit(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path)
    before = read_rocm(kernel.folder)
    kernel.write(SCALE_SOURCE, SCALE.replace("255", "127"))
    after = read_rocm(kernel.folder)
    parts = [(s, e) for s in (SCALE_SOURCE, SHIFT_SOURCE) for e in (".host.o", ".fatbin.o")]
    changed = {p[0] for p in parts if before.part(*p).path != after.part(*p).path}
    assert changed == {SCALE_SOURCE}


def test_flags_that_tie_the_parts_make_one_derivation(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path, **{"hip-flags": '["-foffload-lto"]'})
    variant = read_rocm(kernel.folder)
    assert variant.unit(SCALE_SOURCE)["device"]["whole"].endswith(": -foffload-lto")
    whole = variant.part(SCALE_SOURCE, ".o")
    assert whole.env["targets"].splitlines() == ["--offload-arch=gfx90a", "--offload-arch=gfx942"]


def test_every_row_is_instantiated_with_packages_of_its_own_release(tmp_path: Path) -> None:
    # AMD's packages and Torch's own wheels are only instantiated, not fetched.
    kernel = rocm_kernel(tmp_path)
    kernel.write("build.toml", BUILD.replace('stable-abi = "2.11"\n', ""))
    variants = f"{outputs_of(kernel.folder)}.redistributable"
    drvs = evaluate(f"map (variant: variant.drvPath) (builtins.attrValues {variants})")
    rows = evaluate(
        f'map (row: row.toolkit) (builtins.filter (row: row.backend == "rocm") '
        f"(import {path_of(ROOT / 'lib')}).matrix.torchBuilds.knownRows)"
    )
    found = [
        item.name.removeprefix("rocm-")
        for drv in drvs
        for item in closure_of(drv)
        if TOOLKIT.fullmatch(item.name)
    ]
    assert sorted(found) == sorted(rows)


def test_the_example_is_instantiated_for_every_release_of_its_torch() -> None:
    examples = f"import {path_of(ROOT / 'examples')} {{ self = import {path_of(ROOT)}; "
    rope = f'({examples} system = "x86_64-linux"; }}).rope.redistributable'
    found = evaluate(f"builtins.mapAttrs (_: variant: variant.drvPath) {rope}")
    names = {name for name in found if "-rocm" in name}
    assert names == {f"torch-stable-abi210-rocm{r}-x86_64-linux" for r in ("70", "71", "72")}


def test_debians_hip_is_refused_for_another_release(tmp_path: Path) -> None:
    kernel = rocm_kernel(tmp_path)
    with pytest.raises(NixError, match=r"no HIP of ROCm 7\.1(.|\n)*found +HIP 6\.4 and 7\.2"):
        read_rocm(kernel.folder, STABLE.replace("rocm72", "rocm71"))
