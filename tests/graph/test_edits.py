"""The derivations that change when a file of the kernel changes."""

import shutil
from pathlib import Path

import pytest

from tests.evaluation import ROOT, STABLE, Variant, evaluate, outputs_of, read_variant
from tests.tiny_kernel import TinyKernel, edit

BINDING = "torch-ext/torch_binding.cpp"
WRAPPER = "silu_and_mul_cpu/silu_and_mul.cpp"
SEGMENTS = tuple(
    f"silu_and_mul_cpu/segment/{name}.cpp" for name in ("avx2", "avx512", "baseline", "dispatch")
)


def changed_objects(before: Variant, after: Variant) -> set[str]:
    """Return the units whose objects differ."""
    assert before.objects.keys() == after.objects.keys()
    return {unit for unit, drv in before.objects.items() if after.objects[unit] != drv}


# A file of the example, and the units that an edit of it compiles again.
EDITED: dict[str, set[str]] = {
    BINDING: {BINDING},
    WRAPPER: {WRAPPER},
    SEGMENTS[0]: {SEGMENTS[0]},
    "torch-ext/torch_binding.h": {BINDING, WRAPPER},
    "silu_and_mul_cpu/include/segment.h": {WRAPPER, *SEGMENTS},
    "silu_and_mul_cpu/include/segment_targets.h": {*SEGMENTS},
    "torch-ext/silu_and_mul/__init__.py": set(),
}


@pytest.mark.parametrize("file", EDITED)
def test_an_edit_compiles_the_units_that_reach_the_file(silu: Path, file: str) -> None:
    before = read_variant(silu)
    edit(silu / file)
    after = read_variant(silu)
    assert changed_objects(before, after) == EDITED[file]
    assert after.extension != before.extension


def test_on_the_stable_abi_an_edit_compiles_no_other_unit_either(tmp_path: Path) -> None:
    rope = Path(shutil.copytree(ROOT / "examples" / "rope", tmp_path / "rope"))
    before = read_variant(rope, STABLE)
    edit(rope / "rope_cpu/rope.cpp")
    assert changed_objects(before, read_variant(rope, STABLE)) == {"rope_cpu/rope.cpp"}


@pytest.mark.parametrize("file", ["tests/test_silu_and_mul.py", "flake.nix"])
def test_what_is_not_built_changes_no_variant(silu: Path, file: str) -> None:
    before = read_variant(silu)
    (silu / file).touch()
    edit(silu / file)
    assert read_variant(silu) == before


def test_the_benchmark_is_part_of_the_bundle_only(silu: Path) -> None:
    def read() -> list[str]:
        outputs = outputs_of(silu)
        variant = "o.redistributable.${builtins.head o.archVariants}.drvPath"
        found: list[str] = evaluate(f"let o = {outputs}; in [ o.bundle.drvPath {variant} ]")
        return found

    bundle, variant = read()
    edit(silu / "benchmarks/benchmark.py")
    new_bundle, same_variant = read()
    assert (new_bundle != bundle, same_variant == variant) == (True, True)


def change_build(folder: Path, old: str, new: str) -> None:
    toml = folder / "build.toml"
    assert old in toml.read_text()
    toml.write_text(toml.read_text().replace(old, new))


def test_metadata_changes_neither_objects_nor_uid(silu: Path) -> None:
    before = read_variant(silu)
    change_build(silu, "version = 1", "version = 2")
    after = read_variant(silu)
    assert changed_objects(before, after) == set()
    assert after.link == before.link
    assert after.drv != before.drv


def test_flags_of_a_component_change_its_units_only(silu: Path) -> None:
    before = read_variant(silu)
    change_build(silu, '"-fno-trapping-math"', '"-fno-trapping-math", "-g0"')
    assert changed_objects(before, read_variant(silu)) == set(SEGMENTS)


def test_the_same_content_at_another_place_is_the_same_build(tmp_path: Path) -> None:
    here = TinyKernel(tmp_path / "here")
    there = TinyKernel(tmp_path / "over" / "there")
    assert read_variant(here.folder) == read_variant(there.folder)


def test_different_content_has_another_uid(tmp_path: Path) -> None:
    one = TinyKernel(tmp_path / "one", {"include/number.h": "#define NUMBER 1\n"})
    two = TinyKernel(tmp_path / "two", {"include/number.h": "#define NUMBER 2\n"})
    assert read_variant(one.folder).extension != read_variant(two.folder).extension
