"""Where nvcc's front end reads lean headers of Torch, the object stays the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import ADD_SOURCE, build_object, run_step
from tests.cuda.torch_units import TEXTS, TORCH, torch_unit
from tests.evaluation import NixError, build


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_a_lean_front_end_gives_the_same_object(text: str, tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", text).part(ADD_SOURCE, ".host.o")
    built = build_object(item)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": ADD_SOURCE, "part": "host", "headers": "lean-front-end"}
    again = run_step(item, tmp_path / "full", torchHeaders="full")
    assert built.read_bytes() == again.read_bytes()


def test_a_kernel_that_only_full_headers_give_stops_the_build(tmp_path: Path) -> None:
    # The macro is one that lean headers lack, and its name is not to be seen.
    call = "fill_kernel<<<1, 32>>>(static_cast<int *>(nullptr), 1);"
    launch = f"#define HAS(name) defined(TORCH_##name)\n#if HAS(META_FUNC)\n  {call}\n#endif\n"
    text = TORCH.replace("bool ready() {", f"void more() {{\n{launch}}}\nbool ready() {{")
    assert text != TORCH
    variant = torch_unit(tmp_path, text)
    with pytest.raises(NixError) as error:
        build(variant.part(ADD_SOURCE, ".host.o").path)
    said = str(error.value)
    assert "the parts of a unit do not fit together" in said
    assert 'set headers = "full" in [torch]' in said
