"""The page on security names each file with attacks or faults, so each test leads to a promise."""

import re

from tests.evaluation import ROOT

FOLDERS = ("cli", "hub", "mirrors", "security", "trust")
MARK = re.compile(r"pytest\.mark\.(?:attack|fault)\(")
PAGE = ROOT / "docs" / "operations" / "security.md"


def test_the_page_has_each_file() -> None:
    files = [file for name in FOLDERS for file in (ROOT / "tests" / name).glob("test_*.py")]
    marked = {file.stem for file in files if MARK.search(file.read_text())}
    named = set(re.findall(r"`(test_\w+)`", PAGE.read_text()))
    assert marked <= named <= {file.stem for file in files}
