"""The choice of full or lean headers of Torch for a unit, and errors of units with lean headers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cuda.cuda_kernel import (
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    cuda_kernel,
    read_one,
    with_capabilities,
)
from tests.cuda.torch_units import TORCH, torch_unit
from tests.evaluation import NixError, build, read_log, read_phases


def test_a_unit_that_needs_the_full_headers_gets_them(tmp_path: Path) -> None:
    text = f"#include <torch/all.h>\n{TORCH}\nusing torch::nn::Linear;\n"
    variant = torch_unit(tmp_path, text)
    item = variant.passes(ADD_SOURCE)["90"]
    assert '"headers": "full"' in (build(item.path) / "pass.json").read_text()
    log = read_log(item.path)
    said = f"{ADD_SOURCE}, sm_90: does not compile with lean headers; compiled with Torch's own"
    assert said in log
    # Errors of the first attempt are not about the user's code, so they are not shown.
    assert "error" not in log


ASKING = "#ifdef TORCH_MODULE\n#define IS_THERE\n#endif\n"
SAID = "names macros that lean headers lack; compiled with Torch's own"


def test_a_macro_that_lean_headers_lack_is_looked_for_in_all(tmp_path: Path) -> None:
    variant = torch_unit(tmp_path, TORCH + ASKING)
    item = variant.passes(ADD_SOURCE)["90"]
    assert '"headers": "full"' in (build(item.path) / "pass.json").read_text()
    assert f"{ADD_SOURCE}, sm_90: {SAID}" in read_log(item.path)
    # The host pass does not try lean headers if a device pass needed the full ones.
    host = variant.part(ADD_SOURCE, ".host.o")
    build(host.path)
    assert '"headers": "full"' in Path(host.outputs["report"]).read_text()
    phases = read_phases(host.path)
    assert sum(phase.startswith("preprocess-host: ") for phase in phases) == 1


def test_an_error_of_nvcc_names_file_and_line(tmp_path: Path) -> None:
    text = TORCH.replace("numbers[threadIdx.x] = value;", "\n  nonsense(value);\n")
    item = torch_unit(tmp_path, text).passes(ADD_SOURCE)["90"]
    with pytest.raises(NixError, match=r"numbers/add\.cu\(6\): error: identifier \"nonsense\""):
        build(item.path)


def test_lean_headers_in_all_parts_where_the_kernel_asks_for_them(tmp_path: Path) -> None:
    files = {
        "build.toml": BUILD.replace("[torch]\n", '[torch]\nheaders = "lean"\n'),
        BINDING_SOURCE: BINDING.replace("<torch/library.h>", "<torch/all.h>"),
    }
    variant = read_one(cuda_kernel(tmp_path, files, **with_capabilities("9.0")).folder)
    item = variant.part(BINDING_SOURCE, ".o")
    build(item.path)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": BINDING_SOURCE, "part": "host", "headers": "lean"}
