"""Run the tests marked `kernels_ci` below the folder argv[1]; from argv[3] on, options of pytest.

Paths are as in that folder, the kernel's, but options are read in the caller's, so reports are
written there.
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


home, options = sys.argv[1], sys.argv[3:]
# pytest looks for settings in the folders above, and others can write to TMPDIR.
Path(home, "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
fixed = ["-m", "kernels_ci", "-p", "no:cacheprovider", "--rootdir", home]
status = pytest.main([*fixed, *options, f"{home}/tests"], plugins=[KernelPaths()])
if status == pytest.ExitCode.NO_TESTS_COLLECTED:
    print("ci-test: no test is marked kernels_ci; nothing was tested", file=sys.stderr)
    status = pytest.ExitCode.OK
sys.exit(status)
