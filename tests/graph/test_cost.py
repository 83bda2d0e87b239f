"""The cost of evaluating a large kernel, in counts that are the same in every run."""

import json
import os
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.cuda.cuda_kernel import cuda_kernel, with_capabilities
from tests.evaluation import outputs_of

UNITS = 60
HEADERS = 40
TARGETS = ("8.0", "8.9", "9.0", "10.0", "12.0")
# Units that depend on the target of each pass.
LOWEST = "#include <torch/all.h>\n#if __CUDA_ARCH__ >= 900\n#endif\n"
# Rows of the default matrix for CUDA: some, and all.
ROWS = "torchVersions = rows: builtins.filter (row: row ? cudaVersion && {}) rows;"
FEW = ROWS.format('row.torchVersion == "2.13"')
ALL = ROWS.format("true")

# Limits for each derivation, a little above the measured counts. `path` puts a file into the store.
BOUNDS = {"nrFunctionCalls": 95, "nrThunks": 128, "values": 190, "path": 0.13}


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A kernel as large as published ones: many units share headers that include another header."""
    folder = tmp_path_factory.mktemp("large")
    units = [f"part/part_{index}.cu" for index in range(UNITS)]
    headers = [f"part/part_{index}.h" for index in range(HEADERS)]
    kernel = cuda_kernel(folder, **with_capabilities(*TARGETS))
    text = (folder / "build.toml").read_text()
    listed = ", ".join(json.dumps(name) for name in [*units, *headers])
    kernel.write("build.toml", text.replace('"numbers/add.cu"', listed))
    for index, name in enumerate(headers):
        above = LOWEST if index == 0 else f'#include "part_{index - 1}.h"\n'
        kernel.write(name, f"#pragma once\n#include <vector>\n{above}int of_{index}();\n")
    for index, name in enumerate(units):
        kernel.write(
            name, f'#include "part_{index % HEADERS}.h"\n__global__ void of_{index}() {{}}\n'
        )
    kernel.write("torch-ext/torch_binding.cpp", "#include <torch/library.h>\n")
    return folder


@cache
def evaluate(folder: Path, arguments: str) -> dict[str, Any]:
    """Evaluate a bundle; return the evaluator's statistics and the number of variants."""
    count = "builtins.length (builtins.filter (v: v.unavailable == null) o.variantDetails)"
    expression = f"let o = {outputs_of(folder, arguments)}; in [ o.bundle.drvPath ({count}) ]"
    statistics = folder.parent / f"{folder.name}-statistics.json"
    settings = {
        "NIX_SHOW_STATS": "1",
        "NIX_SHOW_STATS_PATH": str(statistics),
        "NIX_COUNT_CALLS": "1",
    }
    options = ["--eval", "--readonly-mode", "--strict", "--json"]
    argv = ["nix-instantiate", *options, "--expr", expression]
    done = subprocess.run(argv, env={**os.environ, **settings}, check=True, capture_output=True)
    _, variants = json.loads(done.stdout)
    return {**json.loads(statistics.read_text()), "variants": variants}


def calls(statistics: Mapping[str, Any], name: str) -> int:
    """Return how often a function of the library was called."""
    return sum(
        each["count"]
        for each in statistics["functions"]
        if each.get("name") == name and "/lib/" in each.get("file", "")
    )


def calls_of_files(statistics: Mapping[str, Any], folder: str) -> dict[str, int]:
    """Return how often the first function of each Nix file in a folder was called."""
    first: dict[str, tuple[int, int]] = {}
    for each in statistics["functions"]:
        file, place = each.get("file", ""), (each.get("line", 0), each["count"])
        if folder in file:
            first[file] = min(place, first.get(file, place))
    return {file: count for file, (_, count) in first.items()}


def test_a_large_kernel_costs_what_its_derivations_do(large: Path) -> None:
    statistics = evaluate(large, ALL)
    derivations = statistics["primops"]["derivationStrict"]
    # One for each target of a unit, one for its host part, one that gathers the targets.
    steps = statistics["variants"] * UNITS * (len(TARGETS) + 2)
    assert 6000 < derivations < 1.15 * steps
    counts = {**statistics, "values": statistics["values"]["number"], **statistics["primops"]}
    found = {name: counts[name] / derivations for name in BOUNDS}
    assert {name: each for name, each in found.items() if each > BOUNDS[name]} == {}


def test_what_files_say_is_asked_once_for_all_variants(large: Path) -> None:
    few, every = evaluate(large, FEW), evaluate(large, ALL)
    assert calls(every, "planUnit") > 2 * calls(few, "planUnit") > 0
    for name in ("readIncludes", "findOwners", "describeReachedFiles", "selectFolders"):
        assert calls(every, name) == calls(few, name) > 0, name


def test_what_no_variant_decides_is_made_once_for_all(large: Path) -> None:
    few, every = evaluate(large, FEW), evaluate(large, ALL)
    assert calls(every, "declareSection") == calls(few, "declareSection") > 0
    checks = calls_of_files(every, "/pkgs/checks/")
    assert len(checks) > 1
    assert set(checks.values()) == {1}
