"""The tables of attacks and of faults: a row for each mark of a test that ran."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import cli, kernel, programs, salt  # noqa: F401  (fixtures)
from tests.hub.client import TOKEN, Uploader, point_library
from tests.hub.server import serve

COLUMNS = "command | what is tried | what happens | test"


def pytest_configure(config: pytest.Config) -> None:
    for name, what in (("attack", "what a stranger tries"), ("fault", "what fails on the machine")):
        words = f"{name}(command, what, outcome): {what}, and what happens instead of harm"
        config.addinivalue_line("markers", words)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a row for each mark once the test has run."""
    report = yield
    for mark in [*item.iter_markers("attack"), *item.iter_markers("fault")]:
        if report.when == "call":
            command, what, outcome = mark.args
            said = outcome if report.passed else report.outcome.upper()
            # The words of `tests/run` that run this test alone.
            test = f"security/{item.path.name}::{item.name.partition('[')[0]}"
            row = (command, what, said, test)
            report.user_properties.append((f"table: {mark.name}s: {COLUMNS}", row))
    return report


@pytest.fixture
def upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Uploader]:
    """Upload to a Hub of this machine."""
    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        point_library(monkeypatch, running.url, tmp_path / "library")
        yield Uploader(running, lambda: "".join(capfd.readouterr()))
