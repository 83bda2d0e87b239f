"""Notes of the build table about units for CUDA, and the manifest's data behind them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from tests.cuda.cuda_kernel import ADD, ADD_SOURCE, VARIANT, cuda_kernel, read_manifest, read_one
from tests.evaluation import ROOT

sys.path.insert(0, str(ROOT / "python" / "src"))

from kernel_builder.variants.table import list_fallbacks


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
