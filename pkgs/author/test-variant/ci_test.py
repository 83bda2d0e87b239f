"""Runs the tests with the marker `kernels_ci` on one built variant; arguments go to pytest."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

VARIANT = "@variant@"
TESTS = Path("@tests@")
PATH = "@path@"
# LOCAL_KERNELS: the variant for the kernel's repository on the Hub, and builds of other kernels.
LOCAL = "@local@"

# Variables of the caller that tests get: they select devices and cores, and describe the terminal.
KEPT = {
    "COLUMNS",
    "CUDA_VISIBLE_DEVICES",
    "HIP_VISIBLE_DEVICES",
    "NO_COLOR",
    "NVIDIA_VISIBLE_DEVICES",
    "OMP_NUM_THREADS",
    "ONEAPI_DEVICE_SELECTOR",
    "ROCR_VISIBLE_DEVICES",
    "TERM",
    "ZE_AFFINITY_MASK",
}
NOTHING_SELECTED = 5

# Runs pytest with paths as in the kernel's folder. Options are read in the caller's folder, so reports are
# written there.
PYTEST = """
import os, sys
from pathlib import Path
import pytest

class KernelPaths:
    @pytest.hookimpl(trylast=True)
    def pytest_configure(self, config):
        os.chdir(sys.argv[1])
        object.__setattr__(config.invocation_params, "dir", Path(sys.argv[1]))

sys.exit(pytest.main(sys.argv[2:], plugins=[KernelPaths()]))
"""


def main() -> int:
    """Run pytest and return its exit status. No selected test counts as success."""
    if not TESTS.is_dir():
        print(f"ci-test: {VARIANT}: the kernel has no folder `tests`", file=sys.stderr)
        return 0
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    # -P: modules in the current folder are not imported.
    argv = [sys.executable, "-P", "-c", PYTEST]
    with tempfile.TemporaryDirectory(prefix="ci-test-") as home:
        tests = Path(home, "tests")
        tests.symlink_to(TESTS)
        # pytest looks for settings in the folders above, and others can write to TMPDIR.
        Path(home, "pytest.ini").write_text("[pytest]\n")
        argv += [home, "-m", "kernels_ci", "-p", "no:cacheprovider"]
        argv += ["--rootdir", home, *sys.argv[1:], str(tests)]
        own = {
            "HOME": home,
            "TMPDIR": home,
            "PATH": PATH,
            "LANG": "C.UTF-8",
            "HF_HUB_OFFLINE": "1",
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        # The caller may add local builds of other kernels. The last entry of a repository counts.
        local = [entry for entry in (os.environ.get("LOCAL_KERNELS"), LOCAL) if entry]
        if local:
            own["LOCAL_KERNELS"] = ":".join(local)
        print(f"ci-test: {VARIANT}", file=sys.stderr, flush=True)
        status = subprocess.run(argv, env={**kept, **own}, check=False).returncode
    if status == NOTHING_SELECTED:
        print("ci-test: no test is marked kernels_ci; nothing was tested", file=sys.stderr)
        return 0
    # Shells report a signal as 128 plus its number.
    return 128 - status if status < 0 else status


if __name__ == "__main__":
    sys.exit(main())
