"""Device code is the same with lean and with full headers of Torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import ADD_SOURCE, EXAMPLES, read_one, run_step
from tests.cuda.torch_units import OPERATORS, TORCH, torch_unit
from tests.derivation import Derivation
from tests.evaluation import ROOT, build


def same_with_full_headers(item: Derivation, folder: Path) -> bool:
    """Return whether a pass gives the same bytes with Torch's own headers."""
    built = build(item.path)
    again = run_step(item, folder, torchHeaders="full")
    assert '"headers": "full"' in (again / "pass.json").read_text()
    return (built / "cubin").read_bytes() == (again / "cubin").read_bytes()


@pytest.mark.parametrize("example", EXAMPLES)
def test_lean_headers_give_the_same_code_for_the_examples(example: str, tmp_path: Path) -> None:
    variant = read_one(ROOT / "examples" / example, EXAMPLES[example])
    units = [unit for unit in variant.plan["units"] if unit["device"]]
    assert units
    for unit in units:
        passes = variant.passes(unit["source"])
        if unit["torchHeaders"] is None:
            # A unit without headers of Torch has no lean ones in its include path.
            assert all("leanFlags" not in item.env for item in passes.values())
            continue
        name = max(passes)
        assert same_with_full_headers(passes[name], tmp_path / unit["component"]), name


# The condition is true only if the preprocessor sees the same macros.
FILL = "numbers[threadIdx.x] = value;"
TENSORS = TORCH.replace(FILL, f"\n#if TORCH_VERSION_MAJOR > 1\n{FILL}\n#endif\n")


@pytest.mark.parametrize("text", [TENSORS, OPERATORS], ids=["tensors", "operators"])
def test_lean_headers_serve_a_unit_that_includes_all_of_torch(text: str, tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", text).passes(ADD_SOURCE)["90"]
    assert '"headers": "lean"' in (build(item.path) / "pass.json").read_text()
    assert same_with_full_headers(item, tmp_path / "full")
