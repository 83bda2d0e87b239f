"""Fixtures of fetching are those of the command line."""

from tests.cli.conftest import *  # noqa: F403  (fixtures)
