"""The texts of problems: the module beside a catalogue uses each record, with all of its values."""

import json
import re

import pytest

from tests.boundaries.source_tree import nix_files
from tests.evaluation import ROOT

READERS = [
    (file.name, name, file.text or "")
    for file in nix_files(ROOT)
    for name in re.findall(r"\breadCatalogue \./([\w-]+\.json)", file.uncommented)
]


def test_modules_have_catalogues() -> None:
    assert "lib/config/meaning.nix" in {module for module, _, _ in READERS}


@pytest.mark.parametrize(("module", "name", "text"), READERS)
def test_a_module_uses_its_catalogue(module: str, name: str, text: str) -> None:
    catalogue = json.loads((ROOT / module).with_name(name).read_text(encoding="utf-8"))
    words = set(re.findall(r"[A-Za-z][\w-]*", text))
    for record, texts in catalogue.items():
        values = re.findall(r"[{]([A-Za-z]+)(?:!r)?[}]", " ".join(texts.values()))
        assert {record, *values} <= words, record
        assert {"found", "want", "fix"} <= texts.keys() <= {"at", "found", "want", "fix"}
