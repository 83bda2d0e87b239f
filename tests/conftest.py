"""Options, order and tables that all suites share, and the suites that run only by name."""

import re
import signal
from pathlib import Path

import pytest

from tests import nightly
from tests.attacks import MARKERS, pytest_runtest_makereport  # noqa: F401  (a hook)
from tests.collectors import pytest_collect_file  # noqa: F401  (a hook)
from tests.expected import Expected
from tests.tiny_kernel import TinyKernel

HERE = Path(__file__).parent
# Cheap suites come first, so that a mistake shows early. Suites that make machines and stores
# follow while this machine's store is small. Suites that are not listed come last.
# xpu is one long file, which would keep a single process at the end.
ORDER = """
    boundaries lint unit eval-fail golden docs published graph fuzz install newest_nix reproducible
    distributed cli compliance constructs mistakes build author extending hub security trust mirrors
    hub_cache report xpu cuda
"""
# `--fast` runs these: they build nothing.
FAST = ("boundaries", "lint", "unit", "eval-fail", "golden", "docs", "fuzz")
# Suites that run only when they are named.
BY_NAME = ("compatibility",)
TABLE = "table: "


@pytest.fixture
def tiny(tmp_path: Path) -> TinyKernel:
    """A kernel without a flake around it, whose unit `answer/answer.cpp` does not include Torch."""
    return TinyKernel(tmp_path / "tiny")


def pytest_addoption(parser: pytest.Parser) -> None:
    own = parser.getgroup("kernel-builder")
    own.addoption("--fast", action="store_true", help="only the suites that build nothing")
    own.addoption("--renew", action="store_true", help="write expected texts as they are now")
    own.addoption("--mutants", type=int, default=150, help="fuzz: how many files are broken")
    own.addoption("--seed", type=int, default=1, help="fuzz: the source of chance")
    own.addoption("--first", type=int, default=0, help="fuzz: the first one, to repeat a failure")
    nightly.add_options(own)


def pytest_configure(config: pytest.Config) -> None:
    for marker in MARKERS:
        config.addinivalue_line("markers", marker)
    # A script's `&` ignores the signal, also in all processes that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def suite_of(path: Path) -> str:
    """Return the folder of tests/ that a file belongs to."""
    return path.relative_to(HERE).parts[0]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if collection_path.parent != HERE or not collection_path.is_dir():
        return None
    if config.getoption("--fast"):
        return True if collection_path.name not in FAST else None
    if collection_path.name not in BY_NAME:
        return None
    named = [Path(str(argument).split("::")[0]).resolve() for argument in config.args]
    is_named = any(collection_path == path or collection_path in path.parents for path in named)
    return None if is_named else True


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    nightly.leave_out(config, items)
    places = {name: place for place, name in enumerate(ORDER.split())}
    items.sort(key=lambda item: places.get(suite_of(item.path), len(places)))


def _order(row: tuple[object, ...]) -> list[tuple[int, str]]:
    """Return a key that sorts A2 before A10."""
    parts = re.findall(r"\d+|\D+", " | ".join(map(str, row)))
    return [(int(part), "") if part.isdigit() else (-1, part) for part in parts]


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the tables whose rows tests have recorded: `record_property("table: NAME", row)`."""
    nightly.list_left_out(terminalreporter, config)
    tables: dict[str, list[tuple[str, ...]]] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, row in getattr(report, "user_properties", ()):
                if name.startswith(TABLE) and getattr(report, "when", "") == "call":
                    tables.setdefault(name.removeprefix(TABLE), []).append(row)
    for name, rows in tables.items():
        terminalreporter.section(name)
        # Cases of one test that ended alike are one row.
        for row in sorted(set(map(tuple, rows)), key=_order):
            terminalreporter.line(f"| {' | '.join(map(str, row))} |")


@pytest.fixture(autouse=True)
def _no_options_of_others() -> None:
    """Undo settings such as --offline that a command's options make in this process."""
    from kernel_builder.settings import Settings, change_settings

    change_settings(**vars(Settings()))


@pytest.fixture
def expected(pytestconfig: pytest.Config) -> Expected:
    """Compares a text with a file of expected text."""
    return Expected(pytestconfig)
