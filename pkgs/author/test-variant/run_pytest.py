"""Run pytest with paths as in the folder argv[1], the kernel's; further arguments go to pytest.

Options are read in the caller's folder, so reports are written there.
"""

import os
import sys
from pathlib import Path

import pytest


class KernelPaths:
    """Enters the folder after the options are read."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config: pytest.Config) -> None:
        """Enter the folder."""
        os.chdir(sys.argv[1])
        object.__setattr__(config.invocation_params, "dir", Path(sys.argv[1]))


sys.exit(pytest.main(sys.argv[2:], plugins=[KernelPaths()]))
