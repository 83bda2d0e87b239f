"""Seeded mistakes: each row of tables/*.json is found, or is known not to be.

`tests/run mistakes --renew` writes which are found now, and prints what has changed; a text, a
place or a kind that a row expects is never changed. Rows of published kernels need a checkout of
them: KERNELS_COMMUNITY=FOLDER. All rows of a run are built in one go for each tier.
"""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mistakes.said import Said
from tests.mistakes.tables import (
    PUBLISHED,
    Mistake,
    choose_daily,
    find_kernel,
    read_mistakes,
    write_mistakes,
)
from tests.mistakes.trials import try_mistakes

MISTAKES = {each.label: each for each in read_mistakes()}
DAILY = choose_daily([*MISTAKES.values()])
VARIABLE = "KERNELS_COMMUNITY"
COMMUNITY = Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None
# Kernels without a mistake, in each tier.
UNCHANGED = {
    f"unchanged-{each.tier}-{each.kernel.replace('/', '-')}": each for each in MISTAKES.values()
}
# The reason of a row without a record of its outcome.
NOT_TRIED = "not tried yet"
NOT_KNOWN = "nothing looks for it"
# What is rightly said of published kernels.
RIGHT = (
    "no test with the marker kernels_ci",
    "no known version of ROCm compiles for it",
    # rmsnorm lists it in `__all__`.
    "the name 'apply_rms_norm_forward'",
    # activation has one operator of eleven for the CPU, and a layer that the client refuses.
    "which has no implementation for CPU",
    "class FatreluAndMul: it must not override nn.Module constructor",
)


class Trials:
    """The kernels of this run: those of a tier are tried when the first of them is asked for."""

    def __init__(self, place: Path, items: list[pytest.Item]) -> None:
        self.place = place
        self.rows: dict[str, Mistake] = {}
        for item in items:
            name = str(vars(item)["callspec"].params["name"])
            row = MISTAKES.get(name) or replace(UNCHANGED[name], change=())
            if find_kernel(row.kernel, COMMUNITY):
                self.rows[name] = row
        self.said: dict[str, Said] = {}

    def folder(self, name: str) -> Path:
        return self.place / self.rows[name].tier / name

    def ask(self, name: str) -> Said:
        """Return what is said of a kernel; try it with all others of its tier."""
        if name not in self.rows:
            pytest.skip(f"{VARIABLE} names no checkout of published kernels")
        if name not in self.said:
            tier = self.rows[name].tier
            mistakes = {each: row for each, row in self.rows.items() if row.tier == tier}
            self.said |= try_mistakes(mistakes, tier, self.place / tier, COMMUNITY)
        return self.said[name]


@pytest.fixture(scope="module")
def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trials:
    items = [each for each in request.session.items if each.path == Path(__file__)]
    items = [each for each in items if "name" in getattr(each, "fixturenames", ())]
    return Trials(tmp_path_factory.mktemp("mistakes"), items)


RENEWED: dict[str, bool] = {}


@pytest.fixture(scope="module", autouse=True)
def _renewal(pytestconfig: pytest.Config) -> Iterator[None]:
    """Write what was found in this run."""
    yield
    if pytestconfig.getoption("--renew"):
        changed = {name for name, found in RENEWED.items() if found != MISTAKES[name].found}
        for name in sorted(changed):
            print(f"{'found now' if RENEWED[name] else 'NOT FOUND ANY MORE'}: {name}")
        write_mistakes([renew(name, each) for name, each in MISTAKES.items()])


def renew(name: str, mistake: Mistake) -> Mistake:
    """Return a record with what was found in this run. You write the reason that it then lacks."""
    found = RENEWED.get(name, mistake.found)
    why = mistake.why if name not in RENEWED or mistake.why != NOT_TRIED else NOT_KNOWN
    return replace(mistake, found=found, why="" if found else why)


def judge(name: str, trials: Trials, config: pytest.Config) -> None:
    mistake, said = MISTAKES[name], trials.ask(name)
    found = said.find(mistake, trials.folder(name))
    if config.getoption("--renew"):
        RENEWED[name] = found
        return
    shown = "\n\n".join(f"{at}\n{text}" for at, text in said.errors + said.warnings)
    expected = f"{mistake.kind} at {mistake.at} ({mistake.line!r}) with {mistake.says}"
    assert found >= mistake.found, f"{expected} is not said, but:\n{shown}"
    if mistake.why == NOT_TRIED:
        pytest.skip(f"no outcome is recorded: {'found' if found else 'not found'}")
    assert found == mistake.found, f"it is found now: tests/run mistakes --renew\n{shown}"


@pytest.mark.parametrize("name", [each for each in MISTAKES if each in DAILY])
def test_a_mistake(name: str, trials: Trials, pytestconfig: pytest.Config) -> None:
    judge(name, trials, pytestconfig)


@pytest.mark.parametrize("name", [each for each in MISTAKES if each not in DAILY])
def test_a_further_mistake(name: str, trials: Trials, pytestconfig: pytest.Config) -> None:
    judge(name, trials, pytestconfig)


def judge_unchanged(name: str, trials: Trials) -> None:
    said = trials.ask(name)
    is_ours = not UNCHANGED[name].kernel.startswith(PUBLISHED)
    false = [
        f"{at}\n{text}"
        for at, text in said.errors + said.warnings
        if is_ours or not any(right in text for right in RIGHT)
    ]
    assert not false, "\n\n".join(false)


@pytest.mark.parametrize("name", [each for each in UNCHANGED if UNCHANGED[each].tier != "cuda"])
def test_nothing_is_said_of_an_unchanged_kernel(name: str, trials: Trials) -> None:
    judge_unchanged(name, trials)


@pytest.mark.parametrize("name", [each for each in UNCHANGED if UNCHANGED[each].tier == "cuda"])
def test_nothing_is_said_of_a_further_unchanged_kernel(name: str, trials: Trials) -> None:
    judge_unchanged(name, trials)


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_row_that_is_not_found_says_why(mistake: Mistake) -> None:
    assert mistake.found != bool(mistake.why)


def test_each_row_has_its_own_name() -> None:
    assert len(MISTAKES) == len(read_mistakes())
