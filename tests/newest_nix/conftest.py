from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from tests.machines.debian import (
    HERE,
    Answer,
    CannotBeMadeError,
    Debian,
    debian,
    skip_without_debian,
)
from tests.newest_nix.sources import bring_sources
from tests.skipping import skip

# The newest that can be made: on some days there is no unstable one.
SUITES = ("sid", "trixie")


@pytest.fixture(scope="module")
def newest() -> Iterator[Debian]:
    """The newest Debian, bare but for a checkout in `/src`."""
    skip_without_debian()
    said = []
    with ExitStack() as stack:
        for suite in SUITES:
            try:
                machine = stack.enter_context(debian(suite))
            except CannotBeMadeError as error:
                said.append(str(error))
                continue
            copy = [HERE / "copy-checkout.sh", machine.root / "src"]
            subprocess.run(copy, check=True)
            yield machine
            return
        skip("; ".join(said), installable=True)


@pytest.fixture(scope="module")
def first_run(newest: Debian) -> Answer:
    """The exit code and output of install.sh there."""
    return newest.ask("/src/install.sh")


@pytest.fixture(scope="module")
def installed(newest: Debian, first_run: Answer) -> Debian:
    """The newest Debian with Nix and an empty store."""
    assert first_run.code == 0, first_run
    return newest


@pytest.fixture(scope="module")
def supplied(installed: Debian) -> Debian:
    """The newest Debian with the sources of everything that is built there."""
    bring_sources(installed)
    return installed
