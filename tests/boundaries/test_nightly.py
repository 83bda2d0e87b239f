"""The table of tests that run at night names tests; a daily run leaves these out, no others."""

import sys
from pathlib import Path
from types import SimpleNamespace as Fake
from typing import Any

import pytest

from tests import nightly
from tests.evaluation import ROOT, call
from tests.nightly import NIGHTLY

EXTRAS = ROOT / "python" / "src" / "kernel_builder"
TESTS = ROOT / "tests"
CACHE, VERIFY = "hub_cache/test_hub_cache.py", "trust/test_verify.py"
EACH = "trust/test_signed_files.py::test_each_change_is_refused"
# A test of each kind of entry, and one of each file that no entry has.
ITEMS = {
    CACHE: ("hub_cache/test_hub_cache.py", "test_a"),
    VERIFY: ("trust/test_verify.py", "test_a[1]"),
    EACH: ("trust/test_signed_files.py", "test_each_change_is_refused[x]"),
    "another of the file": ("trust/test_signed_files.py", "test_another"),
    "another file": ("trust/test_untrusted.py", "test_a"),
}
KEPT = {"another of the file", "another file"}


def test_each_entry_names_a_test_and_an_extra() -> None:
    for entry, extra in NIGHTLY.items():
        file, _, test = entry.partition("::")
        assert f"def {test or 'test_'}" in (TESTS / file).read_text(), entry
        assert (EXTRAS / extra).is_dir(), entry


@pytest.mark.parametrize(
    ("daily", "changed", "kept"),
    [(False, "", {*ITEMS}), (True, "", KEPT), (True, "trust,hub", {*KEPT, VERIFY, EACH})],
)
def test_a_daily_run_leaves_out_what_did_not_change(
    daily: bool, changed: str, kept: set[str]
) -> None:
    out: list[Any] = []
    options = {"--daily": daily, "--changed": changed}
    hook = Fake(pytest_deselected=lambda items: out.extend(items))
    config: Any = Fake(getoption=options.get, hook=hook)
    items: list[Any] = [
        Fake(path=TESTS / Path(file), name=name, key=key) for key, (file, name) in ITEMS.items()
    ]
    nightly.leave_out(config, items)
    assert {item.key for item in items} == kept
    assert {item.key for item in out} == {*ITEMS} - kept

    lines: list[str] = []
    reporter: Any = Fake(section=lines.append, line=lines.append)
    nightly.list_left_out(reporter, config)
    assert (f"{VERIFY}, and when trust changes" in lines) == daily


def test_a_run_has_the_option() -> None:
    argv = [
        sys.executable,
        "-I",
        "-m",
        "pytest",
        "--collect-only",
        "-q",
        "--daily",
        f"tests/{VERIFY}",
    ]
    said = call(*argv, status=5, cwd=ROOT).stdout
    assert "left out until the nightly run" in said
    assert f"{VERIFY}::test_" not in said
