"""What a variant's metadata say, as the derivation has them that writes them."""

from __future__ import annotations

import json
from typing import Any

from tests.derivation import named
from tests.evaluation import evaluate, outputs_of
from tests.tiny_kernel import TinyKernel

NOARCH = """\
[general]
name = "tiny"
version = 1
edition = 5
backends = ["cuda", "rocm"]

[torch-noarch]
cuda-capabilities = ["9.0", "8.0"]
"""


def metadata_of(kernel: TinyKernel, variant: str) -> Any:
    """Return what goes into a variant's metadata.json."""
    drv = evaluate(f"({outputs_of(kernel.folder)}).redistributable.{variant}.drvPath")
    return json.loads(named(drv, "-assembled").env["metadata"])


def test_targets_of_a_kernel_without_compiled_code(tiny: TinyKernel) -> None:
    tiny.write("build.toml", NOARCH)
    cuda = metadata_of(tiny, "torch-cuda")
    assert cuda["backend"] == {"type": "cuda", "archs": ["8.0", "9.0"]}
    assert metadata_of(tiny, "torch-rocm")["backend"] == {"type": "rocm"}
