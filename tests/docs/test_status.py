"""docs/reference/status.json has one record for each build of the matrix that can be true."""

import json
from collections import Counter
from typing import Any

import pytest

from generate.tables import STATES
from tests.docs.test_documents import facts
from tests.evaluation import ROOT

FILE = ROOT / "docs" / "reference" / "status.json"
RECORDS: list[dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8"))
LOADED = {"run on a GPU", "run on a CPU", "imported"}
COMPILED = {*LOADED, "linked", "compiled"}
KEYS = {"backend", "system", "state", "builds", "what", "date", "see", "on", "versions", "instead"}
# The places in the pins of the versions that records state.
PINS = [ROOT / "pkgs/sources/debs/pins.json", *(ROOT / "backends/cuda/releases").iterdir()]
PINNED = "".join(file.read_text(encoding="utf-8") for file in PINS)
SPELT = {"gcc": "gcc-12_{}-", "python": "python3.11_{}-", "toolkit": '"version": "{}"'}


def problems_of(record: dict[str, Any]) -> list[str]:
    """Return what is missing in a record or cannot be true."""
    state, backend, versions = record["state"], record["backend"], record.get("versions", {})
    is_own = "instead" not in record
    needs_pins = is_own and state in COMPILED
    see = record.get("see", "").partition("#")[0]
    builds = {(record["system"], build) for build in record["builds"]}
    hosts = {
        host
        for build in facts()["builds"]
        if (build["system"], build["torchBuild"]) in builds
        for host in build["hosts"]
    }
    rules = {
        "keys": {*record} <= KEYS,
        "state": state in (*STATES, "missing"),
        "device": {
            "run on a GPU": backend != "cpu",
            "run on a CPU": backend == "cpu" or not is_own,
        }.get(state, True),
        "date": ("date" in record) == (state != "missing"),
        "see": (ROOT / see).exists() and bool(see or state not in COMPILED),
        "on": ("on" in record) == (state in LOADED),
        "versions": ("gcc" in versions) == needs_pins
        and all(SPELT[name].format(version) in PINNED for name, version in versions.items()),
        # No other host was ever reached.
        "hosts": not needs_pins or hosts == {"registry"},
    }
    return [name for name, holds in rules.items() if not holds]


def test_each_build_has_one_record() -> None:
    recorded = Counter(
        (record["backend"], build, record["system"], record["state"] == "missing")
        for record in RECORDS
        for build in record["builds"]
    )
    matrix = {(one["backend"], one["torchBuild"], one["system"]) for one in facts()["builds"]}
    assert {(*each,) for *each, is_missing in recorded if not is_missing} == matrix
    assert not {(*each,) for *each, is_missing in recorded if is_missing} & matrix
    assert [each for each, number in recorded.items() if number > 1] == []


@pytest.mark.parametrize("index", range(len(RECORDS)))
def test_a_record_can_be_true(index: int) -> None:
    assert problems_of(RECORDS[index]) == []


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"with": "gcc"}, "keys"),
        ({"state": "tried"}, "state"),
        ({"state": "run on a CPU"}, "device"),
        ({"see": "tests/cuda/test_gone.py"}, "see"),
        ({"state": "linked"}, "on"),
        ({"versions": {}}, "versions"),
        ({"versions": {"gcc": "12.2.0", "python": "3.11.2", "toolkit": "13.0.48"}}, "versions"),
        ({"builds": ["2.13.0+cu126"]}, "hosts"),
    ],
)
def test_it_is_refused(change: dict[str, Any], problem: str) -> None:
    imported = next(record for record in RECORDS if record["builds"] == ["2.13.0+cu130"])
    assert problem in problems_of({**imported, **change})


def test_a_record_has_one_line() -> None:
    lines = ",\n  ".join(json.dumps(record, ensure_ascii=False) for record in RECORDS)
    assert FILE.read_text(encoding="utf-8") == f"[\n  {lines}\n]\n"
