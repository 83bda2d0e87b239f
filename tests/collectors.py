"""Tests that are not Python: Nix files with cases, wrong inputs with their messages, plans as text.

They are pytest items, so `-k`, `-x`, `--lf` and reports work:
`tests/unit/values/versions.nix::atLeast.same`, `tests/eval-fail/many-mistakes.nix`,
`tests/golden/plans/five/torch213-cxx11-cpu-x86_64-linux.txt`.
"""

import re
import subprocess
import textwrap
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.evaluation import ROOT, NixError, evaluate, nix_string, path_of
from tests.expected import Expected

TESTS = ROOT / "tests"
UNIT = TESTS / "unit"
SUITES = f"(import {path_of(UNIT / 'suites.nix')})"
EVAL_FAIL = TESTS / "eval-fail"
PLANS = TESTS / "golden" / "plans"


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect the files with such tests."""
    if file_path.suffix == ".nix" and UNIT in file_path.parents:
        if str(file_path.relative_to(UNIT)) in case_names():
            return UnitFile.from_parent(parent, path=file_path)
    elif file_path.suffix == ".nix" and file_path.parent == EVAL_FAIL:
        return ErrorFile.from_parent(parent, path=file_path)
    elif file_path.suffix == ".nix" and file_path.parent == EVAL_FAIL / "tables":
        return TableFile.from_parent(parent, path=file_path)
    elif file_path.suffix == ".txt" and PLANS in file_path.parents:
        return PlanFile.from_parent(parent, path=file_path)
    return None


# ---- unit ----


@cache
def case_names() -> dict[str, list[str]]:
    """Return the names of the cases of each file, without evaluating them."""
    names = f"builtins.mapAttrs (_: builtins.attrNames) {SUITES}.cases"
    return dict(evaluate(names))


@cache
def outcomes() -> dict[str, dict[str, Any]] | None:
    """Return all outcomes, or None if Nix fails with an error that tryEval does not catch."""
    try:
        return dict(evaluate(f"{SUITES}.cases"))
    except NixError:
        return None


class UnitFile(pytest.File):
    """A file of cases."""

    def collect(self) -> Iterator[pytest.Item]:
        for name in case_names()[str(self.path.relative_to(UNIT))]:
            yield UnitCase.from_parent(self, name=name)


class UnitCase(pytest.Item):
    """A case: an expression and its value."""

    def runtest(self) -> None:
        file = str(self.path.relative_to(UNIT))
        together = outcomes()
        if together is None:
            # Evaluate each case alone, so that only the one with the error fails.
            alone = f"{SUITES}.cases.{nix_string(file)}.{nix_string(self.name)}"
            outcome = evaluate(alone)
        else:
            outcome = together[file][self.name]
        if not outcome["passed"]:
            got = "an error" if outcome["got"] is None else outcome["got"]
            pytest.fail(f"got   {got}\nwant  {outcome['want']}", pytrace=False)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException]) -> Any:  # type: ignore[override]
        if isinstance(excinfo.value, NixError):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


# ---- eval-fail ----


class ErrorFile(pytest.File):
    """A wrong input, and in `NAME.err` the whole error message."""

    def collect(self) -> Iterator[pytest.Item]:
        yield Error.from_parent(self, name=self.path.stem)


class Error(pytest.Item):
    """The evaluation fails with the expected message."""

    def runtest(self) -> None:
        argv = ["nix-instantiate", "--eval", "--strict", "--read-write-mode", str(self.path)]
        done = subprocess.run(argv, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            pytest.fail(f"it was evaluated, to {done.stdout}", pytrace=False)
        Expected(self.config)(self.path.with_suffix(".err"), message_of(done.stderr))


class TableFile(pytest.File):
    """Wrong inputs by name, each evaluated to problems; `NAME.err` has two lines for each."""

    def collect(self) -> Iterator[pytest.Item]:
        yield Table.from_parent(self, name=self.path.stem)


class Table(pytest.Item):
    """Every input has the expected problems, and at least one."""

    def runtest(self) -> None:
        cases = evaluate(f"import {path_of(self.path)}")
        lines = [
            f"{name} | {each['at']}: found {each['found']}\n"
            f"    want {each['want']}; fix: {each['fix']}\n"
            for name, problems in cases.items()
            for each in problems
        ]
        Expected(self.config)(self.path.with_suffix(".err"), "".join(lines))
        assert [name for name, problems in cases.items() if not problems] == []


def message_of(stderr: str) -> str:
    """Return Nix's last message: without its indentation and the hint about traces."""
    lines = stderr.splitlines()
    start = max(n for n, line in enumerate(lines) if re.match(r" *error: ", line))
    kept = [line.strip() for line in lines[start:] if not line.startswith("(use '--show-trace'")]
    return "\n".join(kept).removeprefix("error: ").rstrip() + "\n"


# ---- golden ----

WIDTH = 110


class PlanFile(pytest.File):
    """The plan of one variant as text: `plans/<kernel>/<variant>.txt`.

    The kernel is one of examples/, or a folder beside `plans`. An empty file and `--renew`
    make a new one.
    """

    def collect(self) -> Iterator[pytest.Item]:
        yield Plan.from_parent(self, name=self.path.stem)


class Plan(pytest.Item):
    """The text is the present plan."""

    def runtest(self) -> None:
        plan = plans_of(self.path.parent.name)[self.name]
        Expected(self.config)(self.path, "\n".join(render(plan.pop("variant"), plan)) + "\n")


def render(name: str, value: Any, indent: str = "") -> list[str]:
    """Return the lines of a plan's field: every value that is not empty, under its own name."""
    inner = indent + "  "
    if isinstance(value, dict):
        given = {key: each for key, each in value.items() if each not in (None, [], {}, False, "")}
        nested = {key: each for key, each in given.items() if isinstance(each, list | dict)}
        words = [f"{key}={each}" for key, each in given.items() if key not in nested]
        below = [line for key, each in nested.items() for line in render(key, each, inner)]
        together = " ".join([f"{indent}{name}:", *words, *map(str.strip, below)])
        if len(together) <= WIDTH:
            return [together]
        return _wrap(" ".join([f"{indent}{name}:", *words]), inner) + below
    if any(isinstance(each, dict) for each in value):
        return [line for each in value for line in render(name, each, indent)]
    return _wrap(f"{indent}{name}: {' '.join(value)}", inner)


def _wrap(text: str, indent: str) -> list[str]:
    return textwrap.TextWrapper(
        WIDTH, subsequent_indent=indent + "  ", break_long_words=False, break_on_hyphens=False
    ).wrap(text)


@cache
def plans_of(kernel: str) -> dict[str, dict[str, Any]]:
    """Return the plans and warnings of a kernel's variants that have a file.

    Variants without code have one name on all systems: the first one counts.
    """
    own = PLANS.parent / kernel
    root = own if own.is_dir() else ROOT / "examples" / kernel
    names = " ".join(nix_string(file.stem) for file in sorted((PLANS / kernel).glob("*.txt")))
    plans = evaluate(f"""
        map (variant: variant.plan // {{ inherit (variant) warnings; }}) (
          builtins.filter (variant: builtins.elem variant.name [ {names} ])
            ((import {path_of(ROOT / "lib")}).plan.kernel.readKernel {{
              root = {path_of(root)};
              torchVersions = defaults: defaults;
              brought = [ ];
            }}).variants
        )""")
    return {plan["variant"]: plan for plan in reversed(plans)}
