"""Fixtures of reports are those of the command line."""

from __future__ import annotations

from tests.cli.conftest import *  # noqa: F403  (fixtures)
