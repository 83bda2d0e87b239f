"""Fixtures of attacks: the command line, kernels, and a Hub to upload to."""

from tests.cli.conftest import cli, kernel, programs, salt  # noqa: F401  (fixtures)
from tests.hub.conftest import hub, isolated, upload  # noqa: F401  (fixtures)
