"""The documents that are written from the library's tables say what the tables say."""

from __future__ import annotations

import pytest

from tests.evaluation import ROOT, evaluate, path_of
from tests.expected import Expected

DOCUMENTS = (
    f"(import {path_of(ROOT / 'docs/generate')} {{ library = import {path_of(ROOT / 'lib')}; "
    f"inherit (import {path_of(ROOT)}) packages; }})"
)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "document" in metafunc.fixturenames:
        metafunc.parametrize("document", evaluate(f"builtins.attrNames {DOCUMENTS}"))


def test_it_says_what_the_tables_say(document: str, expected: Expected) -> None:
    expected(ROOT / "docs" / "reference" / document, evaluate(f'{DOCUMENTS}."{document}"'))
