"""Derivations that an edit of the kernel changes, and those that versions of Torch share."""

import shutil
from pathlib import Path

import pytest

from tests.evaluation import (
    ROOT,
    STABLE,
    SYSTEM,
    Variant,
    evaluate,
    outputs_of,
    read_variant,
    read_variants,
)
from tests.tiny_kernel import TinyKernel, edit

BINDING = "torch-ext/torch_binding.cpp"
WRAPPER = "silu_and_mul_cpu/silu_and_mul.cpp"
SEGMENTS = tuple(
    f"silu_and_mul_cpu/segment/{name}.cpp" for name in ("avx2", "avx512", "baseline", "dispatch")
)


def changed_objects(before: Variant, after: Variant) -> set[str]:
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


def test_a_licence_compiles_and_links_nothing(silu: Path) -> None:
    before = read_variant(silu)
    (silu / "LICENSE").write_text("A text.\n")
    after = read_variant(silu)
    assert (changed_objects(before, after), after.extension) == (set(), before.extension)


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


OLD, NEW = f"torch29-cxx11-cpu-{SYSTEM}", f"torch213-cxx11-cpu-{SYSTEM}"
ANSWER = "answer/answer.cpp"


def read_both(kernel: TinyKernel) -> tuple[Variant, Variant]:
    both = read_variants(kernel.folder, OLD, NEW)
    return both[OLD], both[NEW]


def test_a_unit_without_torch_is_compiled_once(tiny: TinyKernel) -> None:
    old, new = read_both(tiny)
    assert old.objects[ANSWER] == new.objects[ANSWER]
    assert old.objects[BINDING] != new.objects[BINDING]
    assert old.extension != new.extension


@pytest.mark.parametrize(
    ("include", "is_shared"),
    [
        ("#include <torch/torch.h>", False),
        ("#include <who_knows.h>", False),
        ("#if __has_include(<ATen/ATen.h>)\n#endif", False),
        ("#define HEADER <ATen/ATen.h>\n#include HEADER", False),
        ("#include <vector>", True),
        ("#include <omp.h>", True),
    ],
)
def test_a_unit_that_may_reach_torch_is_compiled_for_each(
    tiny: TinyKernel, include: str, is_shared: bool
) -> None:
    tiny.write("include/number.h", f"{include}\n#define NUMBER 1\n")
    old, new = read_both(tiny)
    assert (old.objects[ANSWER] == new.objects[ANSWER]) == is_shared


def test_a_component_that_does_not_depend_on_torch_never_sees_it(tiny: TinyKernel) -> None:
    build = (tiny.folder / "build.toml").read_text()
    tiny.write("build.toml", build.replace('depends = ["torch"]', "depends = []"))
    tiny.write("include/number.h", "#include <torch/torch.h>\n#define NUMBER 1\n")
    old, new = read_both(tiny)
    assert old.objects[ANSWER] == new.objects[ANSWER]
