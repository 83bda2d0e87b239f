"""The object stays the same if nvcc's front end reads lean headers of Torch."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tests.cuda.cuda_kernel import ADD_SOURCE, build_object, run_step
from tests.cuda.fatbin import unpacked
from tests.cuda.torch_units import TORCH, torch_unit
from tests.evaluation import ROOT, build, read_log

sys.path.insert(0, str(ROOT / "python" / "src"))

from kernel_builder.variants.table import list_fallbacks


def test_a_lean_front_end_gives_the_same_object(tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", TORCH).part(ADD_SOURCE, ".host.o")
    built = build_object(item)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": ADD_SOURCE, "part": "host", "headers": "lean-front-end"}
    again = run_step(item, tmp_path / "full", torchHeaders="full")
    assert built.read_bytes() == again.read_bytes()


def symbols(file: Path) -> str:
    """Return the names of an object's symbols."""
    with file.open("rb") as opened:
        table = ELFFile(opened).get_section_by_name(".symtab")
        assert isinstance(table, SymbolTableSection)
        return " ".join(symbol.name for symbol in table.iter_symbols())


# Lean headers lack this macro, and the text does not show its name.
CALL = "fill_kernel<<<1, 32>>>(static_cast<int *>(nullptr), 1);"
LAUNCH = f"#define HAS(name) defined(TORCH_##name)\n#if HAS(META_FUNC)\n  {CALL}\n#endif\n"
LOST = TORCH.replace("bool ready() {", f"void more() {{\n{LAUNCH}}}\nbool ready() {{")


def test_kernels_that_lean_headers_lose_are_found_with_full_ones(tmp_path: Path) -> None:
    assert LOST != TORCH
    variant = torch_unit(tmp_path, LOST)
    one = variant.passes(ADD_SOURCE)["90"]
    kernel = "fill_kernelIiE"
    assert kernel not in (build(one.path) / "stub.c").read_text()

    host = variant.part(ADD_SOURCE, ".host.o")
    assert kernel in symbols(build_object(host))
    (entry,) = json.loads(Path(host.outputs["report"]).read_text())
    assert (entry["headers"], entry["lost"]) == ("full", ["fill_kernel"])
    assert "launches" not in entry
    assert "device code with lean headers lacks fill_kernel" in read_log(host.path)

    gathered = variant.part(ADD_SOURCE, ".fatbin.o")
    assert kernel.encode() in b"".join(
        code for _, code in unpacked(build_object(gathered).read_bytes())
    )
    (entry,) = json.loads(Path(gathered.outputs["report"]).read_text())
    why = "with lean ones the device code lacks fill_kernel"
    assert (entry["headers"], entry["why"]) == ("full", why)
    reports = [part.outputs["report"] for part in (host, gathered)]
    assert list_fallbacks(reports) == [ADD_SOURCE]
