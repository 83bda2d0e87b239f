"""A problem, and the text that shows it. Builders use this file without the rest of the package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

INDENT: Final = " " * 7
FIELDS: Final = ("at", "found", "want", "fix")
# The file in the output of a step with its warnings: a list of `describe_finding`.
FINDINGS: Final = "findings.json"


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong; `file`, `line` and `column` (from 1) are its place as data."""

    at: str
    found: str
    want: str
    fix: str
    file: str = ""
    line: int = 0
    column: int = 0

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Problem:
        """Return a problem from data of Nix or a check; missing fields are empty."""
        at, found, want, fix = (str(data.get(field, "")) for field in FIELDS)
        return cls(at, found, want, fix)

    def render(self) -> str:
        """Return a line for each field that is known; further lines of a value are aligned."""
        known = [(name, str(getattr(self, name))) for name in FIELDS if getattr(self, name)]
        # Nix begins a line anew after `\r` also, and takes it for its own if it begins with `@nix`.
        fields = (f"{name:<7}" + f"\n{'':7}".join(value.splitlines()) for name, value in known)
        return "\n".join(f"{INDENT}{line}".rstrip() for line in "\n".join(fields).split("\n"))

    def as_data(self) -> dict[str, Any]:
        """Return the problem as it goes into JSON, without empty fields of its place."""
        return {name: value for name, value in vars(self).items() if name in FIELDS or value}


def render(headline: str, problems: Sequence[Problem]) -> str:
    """Return the headline with the number of problems, and the text of each problem."""
    if not problems:
        return headline
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return "\n\n".join([f"{headline} ({count})", *(problem.render() for problem in problems)])


def describe_finding(headline: str, problems: Sequence[Problem]) -> dict[str, Any]:
    """Return a warning of a step as data: one record of the file `FINDINGS`."""
    return {"headline": headline, "problems": [problem.as_data() for problem in problems]}
