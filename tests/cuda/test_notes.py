"""Notes of the build table about units for CUDA, and the manifest's data behind them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, VARIANT, cuda_kernel, read_manifest, read_one
from tests.evaluation import ROOT

sys.path.insert(0, str(ROOT / "python" / "src"))

from kernel_builder.variants.notes import describe_fallbacks, describe_whole_units


def write(file: Path, unit: str, **parts: str) -> str:
    entries = [{"unit": unit, "part": part, "headers": headers} for part, headers in parts.items()]
    file.write_text(json.dumps(entries))
    return str(file)


def test_only_parts_with_full_headers_get_a_note(tmp_path: Path) -> None:
    reports = [
        write(tmp_path / "1", "a.cu", sm_80="lean", sm_90="lean"),
        write(tmp_path / "2", "a.cu", host="full"),
        write(tmp_path / "3", "b.cu", sm_80="lean", sm_90="full"),
        write(tmp_path / "4", "c.cu", sm_80="none", host="none"),
        str(tmp_path / "not in the store"),
    ]
    assert describe_fallbacks(reports) == "full headers: b.cu (sm_90)"
    assert describe_fallbacks([]) == ""


def test_reasons_and_launches_without_device_code(tmp_path: Path) -> None:
    again = {"unit": "a.cu", "part": "sm_80", "headers": "full", "why": "lost with lean ones"}
    nothing = {"unit": "b.cu", "part": "host", "headers": "none", "launches": ["k", "l"]}
    (tmp_path / "1").write_text(json.dumps([again]))
    (tmp_path / "2").write_text(json.dumps([nothing]))
    assert describe_fallbacks([str(tmp_path / "1"), str(tmp_path / "2")]) == (
        "full headers: a.cu (sm_80: lost with lean ones); launches without device code: b.cu (k, l)"
    )


def test_long_lists_are_shortened(tmp_path: Path) -> None:
    reports = [write(tmp_path / str(i), f"{i}.cu", sm_90="full") for i in range(56)]
    assert describe_fallbacks(reports) == (
        "full headers: 0.cu (sm_90), 1.cu (sm_90), 2.cu (sm_90), and 53 more"
    )


def test_units_that_are_compiled_whole() -> None:
    entries = [{"unit": f"{i}.cu", "why": "-rdc=true (linked later)"} for i in range(5)]
    assert describe_whole_units([*entries, {"unit": "b.cu", "why": "-x c++ (other)"}]) == (
        "compiled whole: 0.cu, 1.cu, 2.cu, and 2 more: -rdc=true (linked later); "
        "b.cu: -x c++ (other)"
    )
    assert describe_whole_units([]) == ""


def read_entry(folder: Path) -> dict[str, Any]:
    variants: list[dict[str, Any]] = read_manifest(folder)["variants"]
    (entry,) = (each for each in variants if each["name"] == VARIANT)
    return entry


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


def test_the_manifest_names_whole_units_with_their_reason(tmp_path: Path) -> None:
    kernel = cuda_kernel(tmp_path, {ADD_SOURCE: ADD}, **{"cuda-flags": '["-rdc=true"]'})
    units = read_one(kernel.folder).plan["units"]
    whole = [
        {"unit": unit["source"], "why": unit["device"]["whole"]}
        for unit in units
        if unit["device"] and unit["device"]["whole"]
    ]
    assert whole
    assert read_entry(kernel.folder)["whole"] == whole
