"""The table of published kernels says what the records of `tools/published_kernels/run` say."""

import re

from published_kernels.records import FILE, format_table, read_records
from tests.evaluation import ROOT
from tests.expected import Expected

PAGE = ROOT / "docs" / "reference" / "published-kernels.md"
MARKED = re.compile(r"(<!-- written from published\.json .*-->\n).*(<!-- end -->\n)", re.DOTALL)


def test_the_table_says_what_the_records_say(expected: Expected) -> None:
    known = read_records(FILE)
    table = f"Kernels of commit {known.commit}.\n\n{format_table(known.kernels.values())}"
    text, count = MARKED.subn(lambda found: f"{found[1]}\n{table}\n\n{found[2]}", PAGE.read_text())
    assert count == 1
    expected(PAGE, text)
