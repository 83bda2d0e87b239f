"""A kernel built and imported with the wheel of a Torch that its flake names."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.derivation import named
from tests.evaluation import SYSTEM, build, path_of, read_log, read_variant, realise
from tests.tiny_kernel import TinyKernel

KNOWN = "torch-2.13.0+cpu-cp311-cp311-manylinux_2_28_x86_64.whl"
OWN = KNOWN.replace("2.13.0+cpu", "2.16.0.dev20261101+cpu")


@pytest.mark.skipif(SYSTEM != "x86_64-linux", reason="the wheel is one for x86_64-linux")
def test_a_file_of_the_flake(tiny: TinyKernel) -> None:
    pin = named(read_variant(tiny.folder, f"torch213-cxx11-cpu-{SYSTEM}").drv, KNOWN)
    (wheel,) = realise(pin.path)
    shutil.copyfile(wheel, tiny.folder / OWN)
    row = (
        f'torchVersion = "2.16"; cpu = true; systems = [ "{SYSTEM}" ]; '
        f'wheel = {{ build = "2.16.0.dev20261101+cpu"; file = {path_of(tiny.folder / OWN)}; }};'
    )
    arguments = f"torchVersions = [ {{ {row} }} ];"
    variant = read_variant(tiny.folder, f"torch216-cxx11-cpu-{SYSTEM}", arguments=arguments)
    metadata = json.loads((build(variant.drv) / "metadata.json").read_text())
    assert metadata["torch-wheel"] == OWN
    assert "imported torch-ext/tiny" in read_log(named(variant.drv, "-get-kernel-check").path)
