"""Runs the tests marked `kernels_ci` on one built variant; arguments go to pytest."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

VARIANT = "@variant@"
TESTS = Path("@tests@")
PATH = "@path@"
# What the client takes for the kernel's repository on the Hub, and for those of other kernels.
LOCAL = "@local@"

# Of the caller's variables, those that say which devices to use, how much of the processor, and
# what the terminal can do.
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

# Runs pytest with the tests' paths as they are in the kernel's folder. The folder that the caller
# is in counts while options are read: reports go there.
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
    """Run pytest and return its exit status; that no test is selected is success."""
    if not TESTS.is_dir():
        print(f"ci-test: {VARIANT}: the kernel has no folder `tests`", file=sys.stderr)
        return 0
    kept = {name: value for name, value in os.environ.items() if name in KEPT}
    # -P: the folder that this is run in, where reports go, is nothing to import from.
    argv = [sys.executable, "-P", "-c", PYTEST]
    with tempfile.TemporaryDirectory(prefix="ci-test-") as home:
        tests = Path(home, "tests")
        tests.symlink_to(TESTS)
        # Settings are looked for upwards, and TMPDIR is a folder that others write to.
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
        # The caller may have built more of them. What comes last counts.
        local = [entry for entry in (os.environ.get("LOCAL_KERNELS"), LOCAL) if entry]
        if local:
            own["LOCAL_KERNELS"] = ":".join(local)
        print(f"ci-test: {VARIANT}", file=sys.stderr, flush=True)
        status = subprocess.run(argv, env={**kept, **own}, check=False).returncode
    if status == NOTHING_SELECTED:
        print("ci-test: no test is marked kernels_ci; nothing was tested", file=sys.stderr)
        return 0
    # A signal that ended pytest, as shells write it.
    return 128 - status if status < 0 else status


if __name__ == "__main__":
    sys.exit(main())
