"""tests/run on suites that only pretend: what it counts, and when it fails."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[1] / "run"
ORDER = ["boundaries", "unit", "eval-fail", "graph", "cli", "build", "install"]


def run_suites(
    folder: Path, suites: dict[str, str], *arguments: str
) -> subprocess.CompletedProcess[str]:
    """Run a copy of tests/run beside suites that are given as shell."""
    tests = folder / "tests"
    (tests / "run.d").mkdir(parents=True)
    shutil.copy(RUN, tests / "run")
    for name, script in suites.items():
        (tests / "run.d" / f"{name}.sh").write_text(script)
    environment = {key: value for key, value in os.environ.items() if key != "TEST_PYTHON"}
    argv = [tests / "run", *arguments]
    return subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)


CLOSINGS = [
    ("echo '3 passed, 0 failed'", "3 passed, 0 failed"),
    ("echo 'all well'; echo '3 passed, 2 failed'; exit 1", "3 passed, 2 failed"),
    ("echo '4 passed in 0.12s'", "4 passed, 0 failed"),
    (
        "echo '== 1 failed, 4 passed, 2 skipped in 65.02s (0:01:05) =='; exit 1",
        "4 passed, 1 failed",
    ),
    ("echo '2 passed, 3 errors in 1.00s'; exit 1", "2 passed, 3 failed"),
    ("printf '\\033[32m5 passed\\033[0m in 1.00s\\n'", "5 passed, 0 failed"),
    (
        "echo 'a: 1 passed, 1 failed'; echo x; echo 'b-c: 2 passed, 0 failed'; exit 1",
        "3 passed, 1 failed",
    ),
    # A line of another kind of closing, as the output of something under test may have.
    (
        "echo '7 passed in 0.1s'; echo ' 3 passed, 1 failed'; echo '8 passed in 1.0s'",
        "8 passed, 0 failed",
    ),
    ("echo boom >&2; exit 3", "0 passed, 1 failed"),
    ("echo '3 passed, 0 failed'; exit 1", "3 passed, 1 failed"),
    ("echo 'no tests ran in 0.01s'", "0 passed, 1 failed"),
    ("true", "0 passed, 1 failed"),
    ("echo '0 passed, 0 failed'", "0 passed, 1 failed"),
    ("echo '2 skipped in 0.01s'", "0 passed, 0 failed"),
]


@pytest.mark.parametrize(("script", "closing"), CLOSINGS)
def test_the_closing_line_of_a_suite_counts(tmp_path: Path, script: str, closing: str) -> None:
    done = run_suites(tmp_path, {"graph": script}, "graph")
    assert done.stdout.splitlines()[-1] == closing
    assert (done.returncode == 0) == closing.endswith(" 0 failed")


def test_all_suites_run_in_order_but_those_that_wait_to_be_named(tmp_path: Path) -> None:
    names = [*ORDER, "new-one"]
    suites = {name: f"echo ran {name}; echo '1 passed, 0 failed'" for name in reversed(names)}
    suites["bench"] = "# By name only.\necho ran bench; echo '1 passed, 0 failed'"
    done = run_suites(tmp_path / "all", suites)
    ran = [line[4:] for line in done.stdout.splitlines() if line.startswith("ran ")]
    assert ran == names
    assert done.stdout.splitlines()[-1] == f"{len(names)} passed, 0 failed"
    assert done.returncode == 0
    assert "ran bench" in run_suites(tmp_path / "named", suites, "bench").stdout


def test_one_failure_fails_the_run_and_the_rest_still_runs(tmp_path: Path) -> None:
    suites = {"unit": "exit 1", "graph": "echo '2 passed, 0 failed'"}
    done = run_suites(tmp_path, suites, "unit", "graph")
    assert done.stdout.splitlines()[-1] == "2 passed, 1 failed"
    assert done.returncode == 1


def test_arguments_reach_the_suite(tmp_path: Path) -> None:
    suites = {"graph": 'printf "<%s>" "$@"; echo; echo "1 passed, 0 failed"'}
    done = run_suites(tmp_path, suites, "graph", "--", "-k", "two words")
    assert "<-k><two words>" in done.stdout
    shorter = run_suites(tmp_path / "shorter", suites, "graph", "-k", "two words", "--", "unit")
    assert "<-k><two words><--><unit>" in shorter.stdout


def test_an_option_of_nobody_is_refused(tmp_path: Path) -> None:
    done = run_suites(tmp_path, {"graph": "true"}, "--mutants", "graph")
    assert (done.returncode, done.stdout) == (2, "")
    assert "found  --mutants" in done.stderr


def test_an_unknown_suite_is_refused(tmp_path: Path) -> None:
    done = run_suites(tmp_path, {"graph": "true"}, "grahp")
    assert (done.returncode, done.stdout) == (2, "")
    assert "found  grahp" in done.stderr


def test_a_suite_without_its_python_fails(tmp_path: Path) -> None:
    # There is no kernel-builder beside this copy that could prepare one.
    done = run_suites(tmp_path, {"graph": 'exec "$TEST_PYTHON"'}, "graph")
    assert "preparing Python" in done.stdout
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"


def test_every_suite_is_documented() -> None:
    text = (RUN.parents[1] / "docs" / "testing.md").read_text()
    suites = [script.stem for script in (RUN.parent / "run.d").glob("*.sh")]
    assert [name for name in sorted(suites) if f"`{name}`" not in text] == []
