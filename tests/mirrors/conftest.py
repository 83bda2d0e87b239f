"""What the tests of fetching share with those of the command line, and with uploads."""

from __future__ import annotations

from tests.cli.conftest import *  # noqa: F403  (fixtures)
