"""Benchmark kernels: a timed edit changes the derivations that its case names, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.experiments import ON_CPU, ON_CUDA
from tests.bench.kernels import BINDING, CPP, CUDA, MORE_CAPABILITIES, Kernel, Kind
from tests.cuda.cuda_kernel import read_one
from tests.evaluation import read_variant


def objects_of(kernel: Kernel, variant: str) -> set[str]:
    """Return the derivations of the objects that are linked."""
    return set(read_one(kernel.folder, variant).objects)


@pytest.mark.parametrize(("kind", "variant", "each"), [(CPP, ON_CPU, 1), (CUDA, ON_CUDA, 2)])
def test_edits_change_what_they_are_to(tmp_path: Path, kind: Kind, variant: str, each: int) -> None:
    kernel = Kernel(tmp_path, kind, 8, [variant])
    kernel.write_all("first")
    first = objects_of(kernel, variant)
    # A unit with device code has two objects, for host and devices; others have one.
    assert len(first) == 8 * each + 1

    kernel.salt_units("second", [7])
    edited = objects_of(kernel, variant)
    assert len(edited - first) == each

    kernel.salt_header("second")
    with_header = objects_of(kernel, variant)
    assert len(with_header - edited) == 2 * each

    kernel.capabilities = MORE_CAPABILITIES
    kernel.configure()
    assert len(objects_of(kernel, variant) - with_header) == (8 if kind is CUDA else 0)

    kernel.write_all("third")
    assert not objects_of(kernel, variant) & (first | edited | with_header)
    assert (kernel.folder / BINDING).read_text().count("ops.def") == 8


@pytest.mark.parametrize("units", [2, 10, 11])
def test_whether_a_header_is_precompiled_is_known(tmp_path: Path, units: int) -> None:
    kernel = Kernel(tmp_path, CPP, units, [ON_CPU])
    kernel.write_all("")
    variant = read_variant(kernel.folder)
    found = [variant.read_object(source).env.get("precompiled") for source in variant.objects]
    assert any(found) == kernel.has_precompiled


def test_a_flag_decides_whether_the_precompiled_header_is_there(tmp_path: Path) -> None:
    def write(folder: str, flag: str) -> tuple[str, str]:
        kernel = Kernel(tmp_path / folder, CPP, 12, [ON_CPU], cxx_flags=[flag])
        kernel.write_all(folder)
        unit = read_variant(kernel.folder).read_object(kernel.sources[1])
        return unit.path, unit.env["precompiled"]

    (first, made), (again, found), (_, other) = (
        write("first", "-DTURN=1"),
        write("again", "-DTURN=1"),
        write("other", "-DTURN=2"),
    )
    assert found == made != other
    assert again != first
