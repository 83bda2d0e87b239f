import sys
from pathlib import Path

import pytest

from tests.compliance.workshop import Workshop
from tests.evaluation import ROOT, TEST_PACKAGES, build, evaluate, path_of

# The packages of the checks, for the tests that call them without a process.
for folder in ("run-check", "check-registration"):
    sys.path.insert(0, str(ROOT / "pkgs" / "checks" / folder))
sys.dont_write_bytecode = True


def build_package(attribute: str) -> Path:
    """Build a package of the set and return its folder."""
    packages = f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}"
    return build(str(evaluate(f"({packages}.{attribute}).drvPath")))


@pytest.fixture(scope="session")
def check_python() -> Path:
    """The Python that runs the checks."""
    return build_package("checkPython") / "bin" / "python3"


@pytest.fixture(scope="session")
def toolchain() -> Path:
    """The compiler of kernels."""
    return build_package("toolchain")


@pytest.fixture(scope="session")
def platform_symbols() -> Path:
    """The symbols of a machine without Torch."""
    return build_package("platformSymbols")


@pytest.fixture(scope="session")
def torch() -> Path:
    """The Torch that imports kernels."""
    return build_package("testTorch")


@pytest.fixture
def workshop(
    tmp_path: Path, toolchain: Path, check_python: Path, platform_symbols: Path
) -> Workshop:
    return Workshop(tmp_path, toolchain, check_python, platform_symbols)
