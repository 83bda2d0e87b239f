"""The tables of attacks and of faults: a row for each mark of a test that ran."""

from collections.abc import Generator

import pytest

COLUMNS = "command | what is tried | what happens | test"
MARKERS = tuple(
    f"{name}(command, what, outcome): {what}, and what happens instead of harm"
    for name, what in (("attack", "what a stranger tries"), ("fault", "what fails on the machine"))
)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Add a row for each mark once the test has run."""
    report = yield
    for mark in [*item.iter_markers("attack"), *item.iter_markers("fault")]:
        if report.when == "call":
            command, what, outcome = mark.args
            said = outcome if report.passed else report.outcome.upper()
            # The words of `tests/run` that run this test alone.
            place = f"{item.path.parent.name}/{item.path.name}"
            row = (command, what, said, f"{place}::{item.name.partition('[')[0]}")
            report.user_properties.append((f"table: {mark.name}s: {COLUMNS}", row))
    return report
