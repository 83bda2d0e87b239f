"""Seeded mistakes: each row of tables/*.json is found, or is known not to be.

`tests/run mistakes --renew` writes which are found now, and prints what has changed; a text, a
place or a kind that a row expects is never changed. Rows of published kernels need a checkout of
them: KERNELS_COMMUNITY=FOLDER. All rows of a run are built in one go for each tier.
"""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.mistakes.tables import (
    TIERS,
    Mistake,
    choose_daily,
    find_kernel,
    lay_out,
    read_mistakes,
    write_mistakes,
)
from tests.mistakes.trials import Said, try_kernels

MISTAKES = {each.label: each for each in read_mistakes()}
DAILY = choose_daily([*MISTAKES.values()])
VARIABLE = "KERNELS_COMMUNITY"
COMMUNITY = Path(os.environ[VARIABLE]) if VARIABLE in os.environ else None
# Kernels without a mistake, in each tier that builds them.
UNCHANGED = {
    f"{each.tier}: {each.kernel}": each
    for each in MISTAKES.values()
    if find_kernel(each.kernel, COMMUNITY)
}


class Trials:
    """The kernels of this run, built when the first of them is asked for."""

    def __init__(self, place: Path, items: list[pytest.Item]) -> None:
        self.place = place
        names = [str(vars(item)["callspec"].params["name"]) for item in items]
        self.waiting = [name for name in names if find_kernel(self.row(name).kernel, COMMUNITY)]
        self.said: dict[str, Said] = {}

    def row(self, name: str) -> Mistake:
        return MISTAKES.get(name) or replace(UNCHANGED[name], change=())

    def folder(self, name: str) -> Path:
        return self.place / name.replace(": ", "-").replace("/", "-")

    def ask(self, name: str) -> Said:
        """Return what is said of a kernel; build it with all that wait in the same tier."""
        for tier in TIERS if self.waiting else ():
            names = [each for each in self.waiting if self.row(each).tier == tier]
            for each in names:
                kernel = find_kernel(self.row(each).kernel, COMMUNITY)
                assert kernel
                lay_out(kernel, self.folder(each), self.row(each).change)
            if names:
                self.said |= try_kernels({each: self.folder(each) for each in names}, tier)
        self.waiting = []
        if name not in self.said:
            pytest.skip(f"{VARIABLE} names no checkout of published kernels")
        return self.said[name]


@pytest.fixture(scope="module")
def trials(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Trials:
    items = [each for each in request.session.items if each.path == Path(__file__)]
    items = [each for each in items if "name" in getattr(each, "fixturenames", ())]
    return Trials(tmp_path_factory.mktemp("mistakes"), items)


RENEWED: dict[str, bool] = {}


@pytest.fixture(scope="module", autouse=True)
def _renewal(pytestconfig: pytest.Config):  # type: ignore[no-untyped-def]
    """Write what was found in this run."""
    yield
    if pytestconfig.getoption("--renew"):
        changed = {name for name, found in RENEWED.items() if found != MISTAKES[name].found}
        for name in sorted(changed):
            print(f"{'found now' if RENEWED[name] else 'NOT FOUND ANY MORE'}: {name}")
        write_mistakes([
            replace(each, found=RENEWED.get(name, each.found),
                    why="" if RENEWED.get(name, each.found) else each.why)
            for name, each in MISTAKES.items()
        ])  # fmt: skip


def judge(name: str, trials: Trials, config: pytest.Config) -> None:
    mistake, said = MISTAKES[name], trials.ask(name)
    found = said.find(mistake, trials.folder(name))
    if config.getoption("--renew"):
        RENEWED[name] = found
        return
    shown = "\n\n".join(f"{at}\n{text}" for at, text in said.errors + said.warnings)
    expected = f"{mistake.kind} at {mistake.at} ({mistake.line!r}) with {mistake.says}"
    assert found >= mistake.found, f"{expected} is not said, but:\n{shown}"
    assert found == mistake.found, f"it is found now: tests/run mistakes --renew\n{shown}"


@pytest.mark.parametrize("name", [each for each in MISTAKES if each in DAILY])
def test_a_mistake(name: str, trials: Trials, pytestconfig: pytest.Config) -> None:
    judge(name, trials, pytestconfig)


@pytest.mark.parametrize("name", [each for each in MISTAKES if each not in DAILY])
def test_a_further_mistake(name: str, trials: Trials, pytestconfig: pytest.Config) -> None:
    judge(name, trials, pytestconfig)


@pytest.mark.parametrize("name", UNCHANGED)
def test_nothing_is_said_of_an_unchanged_kernel(name: str, trials: Trials) -> None:
    assert trials.ask(name) == Said()


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES)
def test_a_row_that_is_not_found_says_why(mistake: Mistake) -> None:
    assert mistake.found != bool(mistake.why)


def test_each_row_has_its_own_name() -> None:
    assert len(MISTAKES) == len(read_mistakes())
