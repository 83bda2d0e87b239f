"""Skips that say why, and are none on a machine that was to have everything."""

import os
from typing import NoReturn

import pytest


def skip(reason: str, *, installable: bool) -> NoReturn:
    """Skip a test that lacks something of the machine.

    What could have been installed is a failure where `CI=true`: nothing is left out there
    for want of a package.
    """
    if installable and os.environ.get("CI") == "true":
        pytest.fail(f"{reason}; with CI=true everything that can be installed has to be there")
    pytest.skip(reason)
