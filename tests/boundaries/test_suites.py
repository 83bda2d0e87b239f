"""tests/run and its suites."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.evaluation import ROOT

RUN = ROOT / "tests" / "run"


def collected(*words: str) -> list[str]:
    """Return what `tests/run` would run."""
    environment = {**os.environ, "TEST_PYTHON": sys.executable}
    argv = [str(RUN), *words, "--collect-only", "-q"]
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.parametrize(
    ("words", "one"),
    [
        (["unit/values/versions.nix"], "unit/values/versions.nix::"),
        (["unit", "-k", "atLeast"], "unit/values/versions.nix::atLeast"),
        (["eval-fail"], "eval-fail/tables/general.nix::general"),
        (["golden"], "golden/plans/five/"),
        (["docs"], "docs/test_documents.py::"),
    ],
)
def test_what_is_no_python_is_collected_too(words: list[str], one: str) -> None:
    assert [line for line in collected(*words) if line.startswith(one)]


def test_a_suite_that_waits_to_be_named_is_not_run() -> None:
    assert not [line for line in collected("-k", "Debian") if line.startswith("compatibility/")]
    assert [line for line in collected("compatibility") if line.startswith("compatibility/")]


def test_the_python_of_the_tests_is_told() -> None:
    environment = {**os.environ, "TEST_PYTHON": "/some/python"}
    said = subprocess.run(
        [RUN, "--python"], env=environment, capture_output=True, text=True, check=True
    )
    assert said.stdout == "/some/python\n"


def test_every_suite_is_documented() -> None:
    text = (ROOT / "docs" / "testing.md").read_text()
    suites = [path.name for path in (ROOT / "tests").iterdir() if list(path.glob("test_*.py"))]
    assert [name for name in sorted(suites) if f"`{name}`" not in text] == []
