"""Tables and pages that are written from the library's values, from docstrings and JSON files."""

import json
import re
import runpy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import kernel_builder
from generate import markdown
from generate.tables import write_tables
from kernel_builder.compatible.table import FILE as TOOL
from published_kernels.records import FILE, format_table, read_records
from tests.evaluation import ROOT, evaluate, path_of
from tests.expected import Expected

GENERATE = ROOT / "docs" / "generate"
REFERENCE = ROOT / "docs" / "reference"
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
MARKED = [page for page in PAGES if markdown.MARKED.search(page.read_text(encoding="utf-8"))]


@cache
def facts() -> Any:
    return evaluate(
        f"import {path_of(GENERATE / 'facts.nix')} "
        f"{{ library = import {path_of(ROOT / 'lib')}; project = import {path_of(ROOT)}; }}"
    )


@cache
def tables() -> dict[str, str]:
    records = json.loads((REFERENCE / "status.json").read_text(encoding="utf-8"))
    _source, *tool = json.loads(TOOL.read_text(encoding="utf-8"))
    files = sorted((ROOT / "tests" / "mistakes" / "tables").glob("*.json"))
    mistakes = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in files}
    return write_tables(facts(), records, tool, mistakes)


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_its_tables_are_up_to_date(page: Path, expected: Expected) -> None:
    expected(page, markdown.fill(page.read_text(encoding="utf-8"), tables()))


def test_every_table_is_shown() -> None:
    found = {
        name for page in MARKED for _, name, _ in markdown.MARKED.findall(page.read_text("utf-8"))
    }
    assert found == {*tables()}


def test_the_schema_is_that_of_the_library(expected: Expected) -> None:
    text = json.dumps(facts()["schema"], indent=2, sort_keys=True, ensure_ascii=False)
    expected(REFERENCE / "build-toml.schema.json", f"{text}\n")


def test_the_page_on_build_toml_shows_an_example() -> None:
    example = (ROOT / "examples" / "relu" / "build.toml").read_text(encoding="utf-8")
    assert f"```toml\n{example}```\n" in (REFERENCE / "build-toml.md").read_text(encoding="utf-8")


def test_the_reference_is_what_the_docstrings_say(expected: Expected) -> None:
    write_reference = runpy.run_path(str(ROOT / "docs/generate/api.py"))["write_reference"]
    text = write_reference()
    # A default that is a path would be one of the machine that wrote the page.
    assert "Path(" not in text
    expected(ROOT / "docs" / "reference" / "api.md", text)


def test_every_function_says_what_it_takes_and_raises() -> None:
    functions = [name for name in kernel_builder.__all__ if name[0].islower()]
    assert functions == ["check_import", "render_ops", "upload"]
    for name in functions:
        text = getattr(kernel_builder, name).__doc__
        arguments = getattr(kernel_builder, name).__annotations__
        for word in (*(f"{each}:" for each in arguments if each != "return"), "Raises:"):
            assert word in text, (name, word)


KERNELS = ROOT / "docs" / "reference" / "published-kernels.md"
WRITTEN = r"(<!-- written from {}\.json .*?-->\n).*?(<!-- end -->\n)"


@pytest.mark.parametrize("name", ["published", "published-examples"])
def test_the_table_says_what_the_records_say(expected: Expected, name: str) -> None:
    known = read_records(FILE.with_name(f"{name}.json"))
    table = f"Kernels of commit {known.commit}.\n\n{format_table(known.kernels.values())}"
    text, count = re.subn(
        WRITTEN.format(name),
        lambda found: f"{found[1]}\n{table}\n\n{found[2]}",
        KERNELS.read_text(),
        flags=re.DOTALL,
    )
    assert count == 1
    expected(KERNELS, text)
