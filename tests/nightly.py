"""Slow tests of code that changes seldom: `.ci/run --all` runs them, and each change of their code.

`tests/run` runs them too. With `--daily`, as `.ci/run` starts it, they are left out and listed.
"""

from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent

# Files and tests, with the folder of python/src/kernel_builder whose change runs them every time.
# Without a folder, they run at night only.
NIGHTLY = {
    # A Torch of its own, as for the next one: 1.5 and 2.6 GB.
    "build/test_builds.py::test_its_tests_run": "",
    "cuda/test_other_releases.py::test_an_example_with_an_older_torch": "",
    "hub_cache/test_hub_cache.py": "hub_cache",
    "install/test_readme.py": "",
    "mistakes/test_mistakes.py::test_a_further_mistake": "",
    "mistakes/test_mistakes.py::test_nothing_is_said_of_a_further_unchanged_kernel": "",
    "report/test_report.py::test_the_page_in_a_browser": "report",
    "trust/test_flakes_of_strangers.py": "trust",
    "trust/test_signed_files.py::test_each_change_is_refused": "trust",
    "trust/test_verify.py": "trust",
    "reproducible/test_reproducible.py::test_another_store_gives_the_same_bytes": "",
}


def add_options(group: pytest.OptionGroup) -> None:
    group.addoption("--daily", action="store_true", help="leave out what runs at night")
    text = "with --daily: the extras that were changed, whose tests run; names with commas"
    group.addoption("--changed", default="", help=text)


def find_entry(item: pytest.Item) -> str | None:
    """Return the entry of the table that a test belongs to."""
    if HERE not in item.path.parents:
        return None
    file = item.path.relative_to(HERE).as_posix()
    test = f"{file}::{item.name.partition('[')[0]}"
    return next((each for each in (file, test) if each in NIGHTLY), None)


def leave_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take the tests of the night out of a daily run."""
    if not config.getoption("--daily"):
        return
    changed = config.getoption("--changed").split(",")
    kept, out = [], []
    for item in items:
        entry = find_entry(item)
        if entry is None or (NIGHTLY[entry] and NIGHTLY[entry] in changed):
            kept.append(item)
        else:
            out.append(item)
    items[:] = kept
    config.hook.pytest_deselected(items=out)


def list_left_out(reporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Print which tests a daily run has left out."""
    if config.getoption("--daily"):
        reporter.section("left out until the nightly run: .ci/run --all")
        for entry, extra in NIGHTLY.items():
            when = f", and when {extra} changes" if extra else ""
            reporter.line(f"{entry}{when}")
