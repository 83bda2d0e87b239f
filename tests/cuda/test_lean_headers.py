"""Lean headers of Torch give the same code as all headers, or all headers are used."""

import json
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from kernel_builder.variants.table import list_fallbacks
from tests.cuda.cuda_kernel import (
    ADD,
    ADD_SOURCE,
    BINDING,
    BINDING_SOURCE,
    BUILD,
    EXAMPLES,
    INSTEAD,
    VARIANT,
    build_object,
    cuda_kernel,
    read_entry,
    read_one,
    run_step,
    with_capabilities,
)
from tests.cuda.fatbin import unpacked
from tests.cuda.torch_units import OPERATORS, TORCH, torch_unit
from tests.derivation import Derivation
from tests.evaluation import ROOT, build, read_log, read_phases


def same_with_full_headers(item: Derivation, folder: Path) -> bool:
    """Return whether a pass gives the same bytes with Torch's own headers."""
    built = build(item.path)
    again = run_step(item, folder, torchHeaders="full")
    assert (again / "headers").read_text() == "full"
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


@pytest.mark.parametrize("name", [VARIANT, INSTEAD])
@pytest.mark.parametrize("text", [TENSORS, OPERATORS], ids=["tensors", "operators"])
def test_lean_headers_serve_a_unit_that_includes_all_of_torch(
    text: str, name: str, tmp_path: Path
) -> None:
    item = torch_unit(tmp_path / "kernel", text, name).passes(ADD_SOURCE)["90"]
    assert (build(item.path) / "headers").read_text() == "lean"
    assert same_with_full_headers(item, tmp_path / "full")


@pytest.mark.parametrize("name", [VARIANT, INSTEAD])
def test_a_lean_front_end_gives_the_same_object(name: str, tmp_path: Path) -> None:
    item = torch_unit(tmp_path / "kernel", TORCH, name).part(ADD_SOURCE, ".host.o")
    built = build_object(item)
    (entry,) = json.loads(Path(item.outputs["report"]).read_text())
    assert entry == {"unit": ADD_SOURCE, "part": "host", "headers": "lean-front-end"}
    again = run_step(item, tmp_path / "full", torchHeaders="full")
    assert built.read_bytes() == again.read_bytes()


def symbols(file: Path) -> str:
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


def test_a_unit_that_needs_the_full_headers_gets_them(tmp_path: Path) -> None:
    text = f"#include <torch/all.h>\n{TORCH}\nusing torch::nn::Linear;\n"
    variant = torch_unit(tmp_path, text)
    item = variant.passes(ADD_SOURCE)["90"]
    assert (build(item.path) / "headers").read_text() == "full"
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
    assert (build(item.path) / "headers").read_text() == "full"
    assert f"{ADD_SOURCE}, sm_90: {SAID}" in read_log(item.path)
    # The host pass does not try lean headers if a device pass needed the full ones.
    host = variant.part(ADD_SOURCE, ".host.o")
    build(host.path)
    assert '"headers": "full"' in Path(host.outputs["report"]).read_text()
    phases = read_phases(host.path)
    assert sum(phase.startswith("preprocess-host: ") for phase in phases) == 1


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


def write(file: Path, unit: str, **parts: str) -> str:
    entries = [{"unit": unit, "part": part, "headers": headers} for part, headers in parts.items()]
    file.write_text(json.dumps(entries))
    return str(file)


def test_only_device_code_with_full_headers_gets_a_note(tmp_path: Path) -> None:
    reports = [
        write(tmp_path / "1", "a.cu", sm_80="lean", sm_90="lean"),
        write(tmp_path / "2", "a.cu", host="full"),
        write(tmp_path / "3", "b.cu", sm_80="full", sm_90="full"),
        write(tmp_path / "4", "c.cu", sm_80="none", host="none"),
        str(tmp_path / "not in the store"),
    ]
    assert list_fallbacks(reports) == ["b.cu"]
    assert list_fallbacks([]) == []


def test_the_manifest_names_the_reports_of_all_parts(tmp_path: Path) -> None:
    folder = cuda_kernel(tmp_path, {ADD_SOURCE: "#include <torch/all.h>\n" + ADD}).folder
    variant = read_one(folder)
    parts = [
        variant.part(source, ending).outputs["report"]
        for source in (ADD_SOURCE, "numbers/scale.cu")
        for ending in (".fatbin.o", ".host.o")
    ]
    entry = read_entry(folder)
    assert sorted(map(str, entry["reports"])) == sorted(parts)
    assert entry["whole"] == []
