"""The texts of problems: the module beside a catalogue uses each record, with all of its values."""

import json
import re

import pytest

from tests.boundaries.source_tree import nix_files
from tests.evaluation import ROOT

# `refuse` throws the problems of a catalogue, whose records have a headline.
READER = re.compile(r"\b(readCatalogue|refuse|refuse[.]nix [{][^}]*[}]) [.]/([\w-]+[.]json)")
READERS = [
    (file.name, name, file.text or "", {"headline"} if reader.startswith("refuse") else set())
    for file in nix_files(ROOT)
    for reader, name in READER.findall(file.uncommented)
]


def test_modules_have_catalogues() -> None:
    assert {"lib/config/meaning.nix", "pkgs/default.nix"} <= {module for module, *_ in READERS}


@pytest.mark.parametrize(("module", "name", "text", "more"), READERS)
def test_a_module_uses_its_catalogue(module: str, name: str, text: str, more: "set[str]") -> None:
    catalogue = json.loads((ROOT / module).with_name(name).read_text(encoding="utf-8"))
    words = set(re.findall(r"[A-Za-z][\w-]*", text))
    for record, texts in catalogue.items():
        values = re.findall(r"[{]([A-Za-z]+)(?:!r)?[}]", " ".join(texts.values()))
        assert {record, *values} <= words, record
        assert texts.keys() - {"at"} == {"found", "want", "fix", *more}
