"""The Python environment of a Debian, in `/venv`, as a user of kernels makes one."""

from tests.machines.debian import Debian, FailedError
from tests.skipping import skip

TORCH = "2.13.0"
TESTS = ("kernels", "numpy", "pytest")
PYTHON = "/venv/bin/python"
VARIABLES = {"HF_HUB_OFFLINE": "1", "PYTHONDONTWRITEBYTECODE": "1"}


def make_environment(machine: Debian, python: str, *requirements: str, whole: bool = True) -> None:
    """Make `/venv` where it is missing and install into it, with this machine's pip settings.

    Without `whole`, what the requirements themselves ask for is left out.
    """
    machine.variables.update(VARIABLES)
    if not (machine.root / "venv").exists():
        machine.run(python, "-m", "venv", "/venv")
    options = ["--no-cache-dir", "--quiet", *([] if whole else ["--no-deps"])]
    try:
        machine.run(PYTHON, "-m", "pip", "install", *options, *requirements)
    except FailedError as error:
        if "No matching distribution" in str(error):
            skip(f"pip has no {' '.join(requirements)}: {error}", installable=False)
        raise
