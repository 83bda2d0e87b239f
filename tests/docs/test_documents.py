"""The tables in the documents show the library's values, and JSON files of this project."""

import json
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.compatible.table import FILE as TOOL
from tests.evaluation import ROOT, evaluate, path_of
from tests.expected import Expected

GENERATE = ROOT / "docs" / "generate"
REFERENCE = ROOT / "docs" / "reference"
TABLES = runpy.run_path(str(GENERATE / "tables.py"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKED = [page for page in PAGES if TABLES["MARKED"].search(page.read_text(encoding="utf-8"))]


@cache
def facts() -> Any:
    """Return the values of the library that the tables show."""
    return evaluate(
        f"import {path_of(GENERATE / 'facts.nix')} "
        f"{{ library = import {path_of(ROOT / 'lib')}; project = import {path_of(ROOT)}; }}"
    )


@cache
def tables() -> dict[str, str]:
    records = json.loads((REFERENCE / "status.json").read_text(encoding="utf-8"))
    _source, *tool = json.loads(TOOL.read_text(encoding="utf-8"))
    written: dict[str, str] = TABLES["write_tables"](facts(), records, tool)
    return written


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_its_tables_are_up_to_date(page: Path, expected: Expected) -> None:
    expected(page, TABLES["fill"](page.read_text(encoding="utf-8"), tables()))


def test_every_table_is_shown() -> None:
    found = {
        name for page in MARKED for _, name, _ in TABLES["MARKED"].findall(page.read_text("utf-8"))
    }
    assert found == {*tables()}


def test_the_schema_is_that_of_the_library(expected: Expected) -> None:
    text = json.dumps(facts()["schema"], indent=2, sort_keys=True, ensure_ascii=False)
    expected(REFERENCE / "build-toml.schema.json", f"{text}\n")


def test_the_page_on_build_toml_shows_an_example() -> None:
    example = (ROOT / "examples" / "relu" / "build.toml").read_text(encoding="utf-8")
    assert f"```toml\n{example}```\n" in (REFERENCE / "build-toml.md").read_text(encoding="utf-8")
