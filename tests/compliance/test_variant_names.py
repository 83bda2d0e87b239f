"""The facts that checks read from a variant's name."""

from __future__ import annotations

from pathlib import Path

import pytest
from checking.variant import Variant


@pytest.mark.parametrize(
    ("name", "backend", "major"),
    [
        ("torch213-cxx11-cpu-x86_64-linux", "cpu", ""),
        ("torch213-cxx11-cu126-x86_64-linux", "cuda", "12"),
        ("torch-stable-abi211-cu130-aarch64-linux", "cuda", "13"),
        ("torch213-cxx11-rocm72-x86_64-linux", "rocm", "7"),
        ("torch213-cxx11-xpu20253-x86_64-linux", "xpu", "2025"),
        ("torch213-metal-aarch64-darwin", "metal", ""),
        ("tvm-ffi01-cpu-x86_64-linux", "cpu", ""),
        ("tvm-ffi01-cu130-aarch64-linux", "cuda", "13"),
        ("torch-rocm", "rocm", ""),
        ("torch-neuron", "neuron", ""),
        ("torch-npu", "cann", ""),
    ],
)
def test_backend_and_its_major_version(name: str, backend: str, major: str) -> None:
    variant = Variant(Path(name), name)
    assert variant.is_known
    assert (variant.backend, variant.major) == (backend, major)
