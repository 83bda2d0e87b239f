"""docs/reference/status.json describes each row of the matrix, with nothing that cannot be true."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.evaluation import ROOT, evaluate, outputs_of, path_of

STATED = json.loads((ROOT / "docs" / "reference" / "status.json").read_text(encoding="utf-8"))
LIBRARY = f"library = import {path_of(ROOT / 'lib')}"
FOLDER = path_of(ROOT / "docs" / "generate" / "status")
PACKAGES = f"inherit (import {path_of(ROOT)}) packages"
# The rows, and one that nothing is built for, whatever else is.
ROWS = f"""
(let rows = import ({FOLDER} + /rows.nix) {{ inherit library; {PACKAGES}; }}; in
rows ++ [ (builtins.head (builtins.filter (row: row.backend == "cpu") rows) // {{
  name = "torch99-cpu-riscv64-linux";
  torch = "9.9.0";
  system = "riscv64-linux";
  unbuilt = "nothing is built for riscv64-linux";
}}) ])
"""

CPU = {"backend": "cpu", "torch": ["2.13.0"], "systems": ["x86_64-linux"]}
UNREACHED = {"backend": "cpu", "torch": ["2.11.0"], "systems": ["x86_64-linux"]}
UNBUILT = {"backend": "cpu", "torch": ["9.9.0"], "systems": ["riscv64-linux"]}
WITHOUT_CODE = {"backend": "cann", "torch": ["2.9.0"], "systems": ["x86_64-linux"]}
CUDA = {
    "backend": "cuda",
    "torch": ["2.13.0"],
    "toolkit": ["13.0"],
    "systems": ["x86_64-linux"],
}
FOREIGN_PYTHON = {**CUDA, "torch": ["2.13.0"], "toolkit": ["13.2"]}
# Pinned versions, as a record of the row states them.
VERSIONS = next(each["versions"] for each in STATED["done"] if CUDA in each["rows"])

Edit = Callable[[dict[str, Any]], None]


def record(*rows: dict[str, Any], word: str = "instantiated", **more: object) -> Edit:
    """Return the edit that puts a record of some rows in front of the others."""
    made = {"word": word, "date": "2026-11-22", "rows": list(rows), "what": "a kernel", **more}

    def edit(data: dict[str, Any]) -> None:
        data["done"].insert(0, made)

    return edit


def without(row: dict[str, Any]) -> Edit:
    """Return the edit that takes all but stand-ins away from a row's backend and Torch."""

    def edit(data: dict[str, Any]) -> None:
        for each in data["done"]:
            for selection in each["rows"]:
                if selection["backend"] == row["backend"] and "instead" not in each:
                    selection["torch"] = [
                        torch for torch in selection["torch"] if torch not in row["torch"]
                    ]

    return edit


def silent(data: dict[str, Any]) -> None:
    del data["hosts"]["registry"]


def unknown_host(data: dict[str, Any]) -> None:
    data["hosts"]["example.org"] = {"reached": True}


def absent(data: dict[str, Any]) -> None:
    data["absent"].insert(0, {"rows": [CPU], "why": "it was forgotten"})


# An edit of the data, and where, what and how the answer refuses it.
REFUSED: dict[str, tuple[Edit, str, str, str]] = {
    "no such Torch": (
        record({**CPU, "torch": ["2.13.0", "2.99.0"]}),
        "done[0].rows[0].torch[1]",
        '"2.99.0"',
        "what a row of the matrix has",
    ),
    "no such pair": (
        record({**CUDA, "torch": ["2.15.0"]}),
        "done[0].rows[0].torch[0]",
        '"2.15.0"',
        "together with the rest",
    ),
    "no such system": (
        record({**CPU, "systems": ["riscv64-linux"]}),
        "done[0].rows[0].systems[0]",
        '"riscv64-linux"',
        "what a row of the matrix has",
    ),
    "no such backend": (
        record({**CPU, "backend": "cudaa"}),
        "done[0].rows[0].backend",
        '"cudaa"',
        '"cuda"',
    ),
    "no such word": (record(CPU, word="tried"), "done[0].word", '"tried"', '"run on a GPU"'),
    "no day": (record(CPU, date="in autumn"), "done[0].date", '"in autumn"', "a day such as"),
    "one row": (record(CPU, rows=CPU), "done[0].rows", "{ backend", "a list of rows"),
    "a key that nobody reads": (
        record(CPU, with_what="gcc"),
        "done[0].with_what",
        "an unk",
        "date",
    ),
    "Torch is not pinned": (
        record(UNBUILT, word="imported"),
        "done[0].word",
        '"imported" of torch99-cpu-riscv64-linux',
        "nothing is built for riscv64-linux",
    ),
    "not even instantiated": (
        record(UNBUILT),
        "done[0].word",
        '"instantiated" of torch99-cpu-riscv64-linux',
        "nothing is built for riscv64-linux",
    ),
    "Torch could not be fetched": (
        record(UNREACHED, word="compiled", versions=VERSIONS),
        "done[0].word",
        '"compiled" of torch211-cxx11-cpu-x86_64-linux',
        "download.pytorch.org was never reached",
    ),
    "nothing is compiled": (
        record(WITHOUT_CODE, word="linked", versions=VERSIONS),
        "done[0].word",
        '"linked" of torch-npu',
        "its kernels have no compiled code",
    ),
    "assembled with compiled code": (
        record(CPU, word="assembled"),
        "done[0].word",
        '"assembled" of torch213-cxx11-cpu-x86_64-linux',
        "its kernels have compiled code",
    ),
    "another processor": (
        record(CPU, word="run on a GPU", versions=VERSIONS),
        "done[0].word",
        '"run on a GPU" of torch213-cxx11-cpu-x86_64-linux',
        "it is for the processor",
    ),
    "another device": (
        record(CUDA, word="run on a CPU", versions=VERSIONS),
        "done[0].word",
        '"run on a CPU" of torch213-cxx11-cu130-x86_64-linux',
        "it is for another device",
    ),
    "another toolkit": (
        record(CUDA, word="imported", versions={**VERSIONS, "toolkit": "13.0.48"}),
        "done[0].versions.toolkit",
        '"13.0.48"',
        f'"{VERSIONS["toolkit"]}", which is pinned for torch213-cxx11-cu130-x86_64-linux',
    ),
    "no word of the compiler": (
        record(CPU, word="linked"),
        "done[0].versions.gcc",
        "null",
        f'"{VERSIONS["gcc"]}", which is pinned for torch213-cxx11-cpu-x86_64-linux',
    ),
    "a stand-in that runs": (
        record(CUDA, word="imported", instead="another Torch", versions=VERSIONS),
        "done[0].word",
        '"imported" of torch213-cxx11-cu130-x86_64-linux',
        "what stands in for it is loaded on a CPU alone",
    ),
    "no word of the machine": (
        record(CUDA, word="imported", versions=VERSIONS),
        "done[0].on",
        "nothing",
        "a variant that is imported is loaded",
    ),
    "a machine that loaded nothing": (
        record(CPU, on="x86_64 CPU"),
        "done[0].on",
        '"x86_64 CPU"',
        "a variant that is instantiated is not loaded",
    ),
    "stand-ins without a compiler": (
        record(CUDA, word="linked", instead="another CUDA"),
        "done[0].compiler",
        "nothing",
        "the pinned compiler is replaced",
    ),
    "another compiler than the pinned one": (
        record(CUDA, word="linked", versions=VERSIONS, compiler="clang 22"),
        "done[0].compiler",
        '"clang 22"',
        "the pinned compiler is in versions",
    ),
    "a row without a word": (
        without(CPU),
        "done",
        "nothing of torch213-cxx11-cpu-x86_64-linux, with Torch 2.13.0",
        "every row of the matrix",
    ),
    "a row with a stand-in alone": (
        without({"backend": "rocm", "torch": ["2.13.0"]}),
        "done",
        "nothing of torch213-cxx11-rocm72-x86_64-linux, with Torch 2.13.0",
        "every row of the matrix",
    ),
    "a host of a row": (silent, "hosts.registry", "nothing", "an object"),
    "a host of no row": (unknown_host, 'hosts."example.org"', "an unknown key", '"registry"'),
    "a row that is said not to be there": (
        absent,
        "absent[0].rows",
        "torch213-cxx11-cpu-x86_64-linux",
        "what is not in the matrix",
    ),
}


Problems = dict[str, list[dict[str, str]]]


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Problems:
    """Return the problems of the unedited data (under the name "") and of each edit."""
    base = copy.deepcopy(STATED)
    record(UNBUILT, word="evaluated")(base)
    cases = {"": base}
    for name, (edit, *_) in REFUSED.items():
        cases[name] = copy.deepcopy(base)
        edit(cases[name])
    file = tmp_path_factory.mktemp("status") / "cases.json"
    file.write_text(json.dumps(cases), encoding="utf-8")
    found: Problems = evaluate(
        f"let {LIBRARY}; rows = {ROWS}; "
        f"claims = import ({FOLDER} + /claims.nix) {{ inherit library rows; }}; "
        f"in builtins.mapAttrs (_: claims.problems) "
        f"(builtins.fromJSON (builtins.readFile {path_of(file)}))"
    )
    return found


def test_what_is_said_can_be_true(problems: Problems) -> None:
    assert problems[""] == []


@pytest.mark.parametrize("name", REFUSED)
def test_it_is_refused(problems: Problems, name: str) -> None:
    _, at, found, want = REFUSED[name]
    said = [
        each
        for each in problems[name]
        if each["at"] == at and found in each["found"] and want in each["want"]
    ]
    assert said, problems[name]
    assert all(each["fix"] for each in said)


def rows_of(system: str) -> dict[str, list[str]]:
    """Return the cells of the page's table of variants for a system, by variant."""
    page = (ROOT / "docs" / "reference" / "status.md").read_text(encoding="utf-8")
    table = page.partition(f"### Variants for {system}\n")[2].partition("\n#")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if "-" in line]
    return {name: cells for name, *cells in lines if name.startswith("torch")}


@pytest.mark.parametrize("system", ["x86_64-linux", "aarch64-linux", "aarch64-darwin"])
def test_the_variants_offer_what_the_page_says(system: str) -> None:
    """A kernel for all backends with compilers, as `list-variants --explain` describes it."""
    outputs = outputs_of(ROOT / "tests" / "golden" / "five", system=system)
    details = evaluate(f"{outputs}.variantDetails")
    offered = {}
    for each in details:
        answers = [each[part].partition(": ") for part in ("import", "shell", "tests")]
        imported, shell, tests = (answer for answer, _, _ in answers)
        reason = next((why for _, _, why in reversed(answers) if why), None)
        built = "no" if each["unavailable"] else "yes"
        offered[each["name"]] = [built, imported, shell, tests, *([reason] if reason else [""])]
    # A backend that is not among the kernel's may be added.
    computes = {each["compute"] for each in details}
    listed = {
        name: [*cells, ""][:5]  # An empty last cell is lost.
        for name, cells in rows_of(system).items()
        if name.split("-")[-3] in computes
    }
    assert listed == offered
