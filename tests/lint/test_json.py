"""Tables are written with one record on each line, so that a renewal is a small difference."""

import json
from pathlib import Path

import pytest

from lock.pins import dump
from tests.boundaries.source_tree import files_of
from tests.evaluation import ROOT

TABLES = [
    file.name
    for file in files_of(ROOT)
    if file.is_below("lib", "pkgs", "backends", "stand-ins", "tools")
    and Path(file.name).suffix == ".json"
]


@pytest.mark.parametrize("name", TABLES)
def test_a_record_has_one_line(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == dump(json.loads(text))
