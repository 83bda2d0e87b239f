"""The texts of problems: the module beside a catalogue uses each record, with all of its values."""

import json
import re

import pytest

from tests.boundaries.source_tree import nix_files
from tests.evaluation import ROOT

READERS = {
    file.name: file.text
    for file in nix_files(ROOT)
    if re.search(r"\breadCatalogue \./", file.uncommented)
}


def test_modules_have_catalogues() -> None:
    assert "lib/config/meaning.nix" in READERS


@pytest.mark.parametrize("name", READERS)
def test_a_module_uses_its_catalogue(name: str) -> None:
    path = (ROOT / name).with_suffix(".json")
    if path.name == "default.json":
        path = path.with_name("problems.json")
    words = set(re.findall(r"[A-Za-z][\w-]*", READERS[name]))
    for record, texts in json.loads(path.read_text(encoding="utf-8")).items():
        values = re.findall(r"[{]([A-Za-z]+)(?:!r)?[}]", " ".join(texts.values()))
        assert {record, *values} <= words, f"{path.name}: {record}"
        assert {"found", "want", "fix"} <= texts.keys() <= {"at", "found", "want", "fix"}
