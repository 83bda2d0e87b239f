"""What the user sees when something cannot be done: a headline and its problems.

Every problem answers four questions (where, what was found, what was wanted, what to do), so
that no message leaves the reader without a way out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

INDENT = " " * 7

_FIELD = re.compile(r"^\s*(at|found|want|fix)(?:\s+(.*)|\s*)$")


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong."""

    at: str
    found: str
    want: str
    fix: str

    def render(self) -> str:
        """Return the four lines; further lines of a value are set under its first."""
        lines = []
        for field, value in asdict(self).items():
            first, *rest = value.splitlines() or [""]
            lines.append(f"{INDENT}{field:<7}{first}".rstrip())
            lines += [f"{INDENT}{'':<7}{line}".rstrip() for line in rest]
        return "\n".join(lines)


def parse_problems(text: str) -> list[Problem]:
    """Return the problems in a message of this form, as an evaluation gives it."""
    problems = []
    for paragraph in re.split(r"\n\s*\n", text):
        values: dict[str, str] = {}
        name = ""
        for line in paragraph.splitlines():
            start = _FIELD.match(line)
            if start:
                name = start[1]
                values[name] = start[2] or ""
            elif name:
                values[name] += f"\n{line.strip()}"
        if set(values) == {"at", "found", "want", "fix"}:
            problems.append(Problem(**values))
    return problems


def render(headline: str, problems: Sequence[Problem]) -> str:
    """Return a headline, the number of its problems, and each of them."""
    if not problems:
        return headline
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    return "\n\n".join([f"{headline} ({count})", *(problem.render() for problem in problems)])


class KernelBuilderError(Exception):
    """Something that the user can do something about."""

    exit_code: ClassVar[int] = 1

    def __init__(self, headline: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(render(headline, problems))
        self.headline = headline
        self.problems = tuple(problems)


class UsageError(KernelBuilderError):
    """The command line asks for something that does not exist."""

    exit_code = 2
