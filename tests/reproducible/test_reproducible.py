"""Builds of the examples and of their tools give the same bytes at any time and place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.derivation import Derivation, closure_of, read_derivation
from tests.reproducible.again import (
    EXAMPLES,
    SecondStore,
    build_again,
    is_source,
    outputs_of,
    report,
)


def check_the_report_on_the_clock(text: str) -> None:
    """Both files are named, with the place of the first byte that differs."""
    for file in ("clock.o", "time"):
        assert re.search(rf"^clock/{file}: \d+ and \d+ bytes differ from \d+ on;", text, re.M), text


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
    derivations: list[Derivation], clock: Derivation, quick: bool, second_store: SecondStore
) -> None:
    if quick:
        pytest.skip("--quick")
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
