"""Variant wheels of the draft PEP 825: uv chooses between them by the machine's driver."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from variantlib.variant_dist_info import VariantDistInfo
from variantlib.variants_json import VariantsJson

from tests.build.bare import PROGRAMS, make_environment, run
from tests.evaluation import ROOT, SYSTEM, VARIANT, build, evaluate, outputs_of

CUDA = f"torch213-cxx11-cu130-{SYSTEM}"
STEM = f"relu-1+torch213-cp39-abi3-manylinux_2_28_{SYSTEM.split('-')[0]}"
# The newest CUDA that a driver knows, as uv's provider and NVIDIA's plugin are told it.
DRIVER = "NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION"


@pytest.fixture(scope="module")
def index() -> Path:
    outputs = outputs_of(ROOT / "examples" / "relu", "variantWheels = true;")
    return build(evaluate(f'(({outputs}).wheelsOf [ "{VARIANT}" "{CUDA}" ]).drvPath'))


def install(index: Path, python: Path, driver: str) -> None:
    """Install relu with uv, as on a machine with this driver."""
    words = ("install", "--preview-features", "wheel-variants", "--no-config")
    which = ("--python", python, "--index-url", index.as_uri(), "relu")
    run(PROGRAMS / "uv", "pip", *words, *which, UV_NO_CACHE="1", **{DRIVER: driver})


@pytest.mark.parametrize(
    ("driver", "label", "backend"),
    [("12.8", "null", "cpu"), ("13.0", "cu130", "cuda"), ("13.5", "cu130", "cuda")],
)
def test_uv_chooses_by_the_driver(
    index: Path, tmp_path: Path, driver: str, label: str, backend: str
) -> None:
    python = make_environment(tmp_path / "bare", "torch")
    install(index, python, driver)
    (site,) = (tmp_path / "bare").glob("lib/python*/site-packages")
    assert json.loads((site / "relu/metadata.json").read_text())["backend"]["type"] == backend
    selected = json.loads((site / "relu-1+torch213.dist-info/variant.json").read_text())
    assert [*selected["variants"]] == [label]


def test_a_bare_environment_imports_it(index: Path, tmp_path: Path) -> None:
    python = make_environment(tmp_path / "bare", "torch")
    install(index, python, "12.8")
    program = "import torch, relu; print(relu.relu(torch.tensor([-1.0, 2.0])).tolist())"
    assert "[0.0, 2.0]\n" in run(python, "-c", program, HOME=str(tmp_path))


def test_variantlib_reads_the_same(index: Path) -> None:
    """The file of the index is what variantlib collects from the wheels."""
    wheels = {label: index / "relu" / f"{STEM}-{label}.whl" for label in ("cu130", "null")}
    read = {}
    for label, wheel in wheels.items():
        with zipfile.ZipFile(wheel) as archive:
            text = archive.read("relu-1+torch213.dist-info/variant.json")
        read[label] = VariantDistInfo(text, label)
    (properties,) = read["cu130"].variant_desc.properties
    assert properties.to_str() == "nvidia :: cuda_version_lower_bound :: 13.0"
    collected = VariantsJson(read["null"])
    for each in read.values():
        collected.merge(each)
    ours = json.loads((index / "relu/relu-1+torch213-variants.json").read_text())
    assert VariantsJson(ours).to_str() == collected.to_str()


def test_pip_refuses_them(index: Path, tmp_path: Path) -> None:
    """Without knowledge of variants, pip must not take the one for the CPU."""
    where = ("--target", str(tmp_path), "--index-url", index.as_uri(), "relu")
    argv = (sys.executable, "-m", "pip", "--isolated", "install", "--no-deps", *where)
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "No matching distribution found for relu" in done.stderr
