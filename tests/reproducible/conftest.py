from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.derivation import Derivation, closure_of, read_derivation
from tests.evaluation import ROOT, evaluate, path_of, read_flake_variant, realise
from tests.reproducible.again import EXAMPLES, SecondStore, remove

# More than twice what the sources and all that is built of them take.
ROOM = 4 * 2**30
MEMORY = Path("/dev/shm")

# Its two files say when they were made.
CLOCK = """
packages.runStep {
  name = "clock";
  tools = [ packages.toolchain ];
  script = builtins.toFile "tell-the-time.sh" ''
    read -r now _ </proc/uptime
    mkdir "$out"
    printf 'one\\n%s\\n' "$now" >"$out/time"
    echo "const char *now = \\"$now\\"; int at_''${now%.*}_''${now#*.};" >clock.c
    gcc -c clock.c -o "$out/clock.o"
  '';
}
"""


@pytest.fixture(scope="session")
def quick(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--quick"))


@pytest.fixture(scope="session")
def derivations() -> list[Derivation]:
    """All that the examples are made from, built and with its sources."""
    found: dict[str, Derivation] = {}
    for example in EXAMPLES:
        drv = read_flake_variant(f"{ROOT}/examples/{example}").drv
        found.update((one.path, one) for one in closure_of(drv))
    # One that is there already does not bring what it was made from.
    realise(*found)
    return list(found.values())


@pytest.fixture(scope="session")
def clock() -> Derivation:
    """A derivation whose bytes are other ones each time, built once."""
    packages = f"(import {path_of(ROOT)}).packages.${{builtins.currentSystem}}"
    clock = evaluate(f"let packages = {packages}; in ({CLOCK}).drvPath")
    realise(clock)
    return read_derivation(clock)


@pytest.fixture
def second_store(tmp_path: Path) -> Iterator[SecondStore]:
    """An empty store, in memory where there is room: that lists folders in another order."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    roomy = roomy and shutil.disk_usage(MEMORY).free > ROOM
    root = Path(tempfile.mkdtemp(prefix="second-store-", dir=MEMORY if roomy else tmp_path))
    yield SecondStore(root)
    remove(root)
