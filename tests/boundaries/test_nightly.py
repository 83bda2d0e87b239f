"""The table of tests that run at night names tests; a daily run leaves these out, no others."""

import subprocess
import sys

from tests.evaluation import ROOT
from tests.nightly import NIGHTLY

EXTRAS = ROOT / "python" / "src" / "kernel_builder"


def test_each_entry_names_a_test_and_an_extra() -> None:
    for entry, extra in NIGHTLY.items():
        file, _, test = entry.partition("::")
        assert f"def {test or 'test_'}" in (ROOT / "tests" / file).read_text(), entry
        assert (EXTRAS / extra).is_dir(), entry


def collect(*words: str) -> str:
    """Return the tests of two extras that a run with these options has, and its summary."""
    folders = [str(ROOT / "tests" / name) for name in ("hub_cache", "trust")]
    argv = [sys.executable, "-I", "-m", "pytest", "--collect-only", "-q", *words, *folders]
    return subprocess.run(argv, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def test_a_daily_run_leaves_out_what_did_not_change() -> None:
    hub_cache, verify = "hub_cache/test_hub_cache.py::", "trust/test_verify.py::"
    for words, kept in {
        (): {hub_cache, verify},
        ("--daily",): set(),
        ("--daily", "--changed", "trust,hub"): {verify},
    }.items():
        said = collect(*words)
        assert {each for each in (hub_cache, verify) if f"{each}test_" in said} == kept
        assert ("trust/test_verify.py, and when trust changes" in said) == bool(words)
    assert "trust/test_untrusted.py::test_" in collect("--daily")
