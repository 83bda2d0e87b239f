import sys
from pathlib import Path

import pytest

from tests.derivation import named
from tests.evaluation import ROOT, TEST_PACKAGES, build, evaluate, path_of, read_variant
from tests.tiny_kernel import NOARCH, TinyKernel

# The packages of the checks, for the tests that call them without a process.
for folder in ("run-check", "check-registration"):
    sys.path.insert(0, str(ROOT / "pkgs" / "checks" / folder))
sys.dont_write_bytecode = True

from tests.compliance.import_checks import TUNED, Check  # noqa: E402
from tests.compliance.workshop import Workshop  # noqa: E402


def build_package(attribute: str) -> Path:
    """Build a package of the set and return its folder."""
    packages = f"(import {path_of(TEST_PACKAGES)}).${{builtins.currentSystem}}"
    return build(str(evaluate(f"({packages}.{attribute}).drvPath")))


@pytest.fixture(scope="session")
def check_python() -> Path:
    return build_package("checkPython") / "bin" / "python3"


@pytest.fixture(scope="session")
def toolchain() -> Path:
    return build_package("toolchain")


@pytest.fixture(scope="session")
def platform_symbols() -> Path:
    """The symbols of a machine without Torch."""
    return build_package("platformSymbols")


@pytest.fixture(scope="session")
def torch() -> Path:
    return build_package("testTorch")


@pytest.fixture
def workshop(
    tmp_path: Path, toolchain: Path, check_python: Path, platform_symbols: Path
) -> Workshop:
    return Workshop(tmp_path, toolchain, check_python, platform_symbols)


@pytest.fixture(scope="session")
def triton(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Build and check a kernel that Triton tunes; return its variant's derivation."""
    files = {"build.toml": NOARCH, "torch-ext/tiny/__init__.py": TUNED}
    drv = read_variant(TinyKernel(tmp_path_factory.mktemp("triton"), files).folder, "torch-cpu").drv
    build(drv)
    return drv


@pytest.fixture
def check(triton: str, tmp_path: Path) -> Check:
    python = build(named(triton, "get-kernel-check-python").path) / "bin" / "python3"
    return Check(python, build(named(triton, "-assembled").path), tmp_path)
