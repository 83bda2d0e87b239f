"""The table of attacks: each test marked `attack` is a row of it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import cli, kernel, programs, salt  # noqa: F401  (fixtures)
from tests.hub.client import TOKEN, Uploader
from tests.hub.server import serve


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "attack(number, what, outcome): an attack or a fault, and what happens instead of harm",
    )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a row for each mark once the test has run."""
    report = yield
    if report.when == "call":
        for mark in item.iter_markers("attack"):
            number, what, outcome = mark.args
            row = (number, what, outcome if report.passed else report.outcome.upper())
            report.user_properties.append(("table: security", row))
    return report


@pytest.fixture
def upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Uploader]:
    """Upload to a Hub of this machine."""
    from huggingface_hub import constants

    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        monkeypatch.setattr(constants, "ENDPOINT", running.url)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        yield Uploader(running, lambda: "".join(capfd.readouterr()))
