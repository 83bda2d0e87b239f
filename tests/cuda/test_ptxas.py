"""Rows that take ptxas and its relatives from another release of the toolkit."""

from __future__ import annotations

from pathlib import Path

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    REGISTRIES,
    build_object,
    cuda_kernel,
    read_manifest,
    read_one,
    with_capabilities,
)


def wanting(release: str) -> str:
    """Return the argument with which every row of CUDA takes these programs from a release."""
    row = f'row: row // (if row ? cudaVersion then {{ ptxasVersion = "{release}"; }} else {{ }})'
    return f"torchVersions = defaults: map ({row}) defaults;"


def test_code_is_made_by_the_other_release(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, **with_capabilities("9.0"))
    ways = {"13.0": REGISTRIES, "13.2": wanting("13.2")}
    for release, arguments in ways.items():
        (one,) = read_one(kernel.folder, arguments=arguments).passes(ADD_SOURCE).values()
        code = (build_object(one) / "cubin").read_bytes()
        assert f"release {release}".encode() in code


def test_its_sources_are_counted(tmp_path: Path) -> None:
    wheels = 'builtins.filter (row: row.cudaVersion or null == "13.0") defaults'
    others = wanting("12.9").replace("defaults;", f"({wheels});")
    for variant in read_manifest(cuda_kernel(tmp_path).folder, others)["variants"]:
        assert "developer.download.nvidia.com" in variant["hosts"]
