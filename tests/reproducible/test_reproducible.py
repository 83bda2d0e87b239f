"""Builds of the examples and of their tools give the same bytes at any time and place."""

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.derivation import Derivation, closure_of, read_derivation
from tests.evaluation import ROOT, evaluate, path_of, read_flake_variant, realise
from tests.reproducible.again import (
    EXAMPLES,
    SecondStore,
    build_again,
    is_source,
    outputs_of,
    remove,
    report,
)

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


def check_the_report_on_the_clock(text: str) -> None:
    """Both files are named."""
    for file in ("clock.o", "time"):
        assert re.search(rf"^Files \S+-clock/{file} and \S+/{file} differ$", text, re.M), text


def test_a_difference_is_found_and_shown(clock: Derivation, tmp_path: Path) -> None:
    found = build_again([clock.path], tmp_path)
    assert list(found) == [clock.outputs["out"]]
    check_the_report_on_the_clock(report(found))
    # Nix's copy for the comparison is removed.
    assert not Path(f"{clock.outputs['out']}.check").exists()


def test_building_again_gives_the_same_bytes(derivations: list[Derivation], tmp_path: Path) -> None:
    # The other test builds the tools again, in the other store.
    built = [one for one in derivations if not is_source(one) and one.name.startswith(EXAMPLES)]
    assert len(built) > len(EXAMPLES) * 5, "objects, extension, checks and variant of each"
    different = build_again([one.path for one in built], tmp_path)
    print(f"{len(built)} derivations built again, {len(different)} outputs differ")
    assert not different, report(different)


def test_another_store_gives_the_same_bytes(
    derivations: list[Derivation], clock: Derivation, second_store: SecondStore
) -> None:
    # All of the clock's: its script is a source that nothing else has.
    needed = {one.path: one for one in (*derivations, *closure_of(clock.path))}
    second_store.copy(list(needed.values()))
    built = [one for one in needed.values() if not is_source(one)]
    second_store.build([one.path for one in built])
    different = second_store.compare(outputs_of(built))
    print(f"{len(outputs_of(built))} outputs compared, {len(different)} differ")
    (out,) = read_derivation(clock.path).outputs.values()
    # The one that must differ, so that a comparison of nothing with nothing is seen.
    check_the_report_on_the_clock(different.pop(out))
    assert not different, report(different)
