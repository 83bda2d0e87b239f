"""The command line, as tests of its core have it."""

from __future__ import annotations

from tests.cli.conftest import *  # noqa: F403  (fixtures)
