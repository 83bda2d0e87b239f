"""Fixtures of attacks: the command line, kernels, and a Hub to upload to."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.conftest import cli, kernel, programs, salt  # noqa: F401  (fixtures)
from tests.hub.client import TOKEN, Uploader, point_library
from tests.hub.server import serve


@pytest.fixture
def upload(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> Iterator[Uploader]:
    """Upload to a Hub of this machine."""
    with serve(tmp_path / "server") as running:
        running.tokens[TOKEN] = {"org"}
        point_library(monkeypatch, running.url, tmp_path / "library")
        yield Uploader(running, lambda: "".join(capfd.readouterr()))
