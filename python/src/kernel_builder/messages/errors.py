"""What the user sees when something cannot be done: a headline and its problems.

Every problem answers four questions (where, what was found, what was wanted, what to do), so
that no message leaves the reader without a way out.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final

INDENT = " " * 7
FIELDS: Final = ("at", "found", "want", "fix")

_FIRST: Final = re.compile(r"^( *)at {5}", re.MULTILINE)


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
        """Return a problem of an evaluation, whose library may be older or newer than this."""
        at, found, want, fix = (str(data.get(field, "")) for field in FIELDS)
        return cls(at, found, want, fix)

    def render(self) -> str:
        """Return the four lines; further lines of a value are set under its first."""
        lines = []
        for field in FIELDS:
            first, *rest = getattr(self, field).split("\n")
            lines.append(f"{INDENT}{field:<7}{first}".rstrip())
            lines += [f"{INDENT}{'':<7}{line}".rstrip() for line in rest]
        return "\n".join(lines)

    def as_data(self) -> dict[str, Any]:
        """Return the problem as it goes into JSON; what is not known of its place is not there."""
        return {name: value for name, value in vars(self).items() if name in FIELDS or value}


def parse_problems(text: str) -> list[Problem]:
    """Return the problems in a message, as `render` and `lib/messages/check.nix` write them."""
    start = _FIRST.search(text)
    if start is None:
        return []
    margin = start[1]
    fields: list[dict[str, list[str]]] = []
    name = ""
    for line in text[start.start() :].split("\n"):
        # The field that has to come next; any other line belongs to the value before it.
        expected = FIELDS[(FIELDS.index(name) + 1) % 4] if name else "at"
        if line == f"{margin}{expected}" or line.startswith(f"{margin}{expected:<7}"):
            name = expected
            fields += [{}] if name == "at" else []
            fields[-1][name] = [line[len(margin) + 7 :]]
        elif not line.strip() or line.startswith(margin + INDENT):
            fields[-1][name].append(line[len(margin) + 7 :])
        else:
            # The text around the problems goes on.
            break
    complete = (each for each in fields if len(each) == len(FIELDS))
    texts = [["\n".join(each[field]).rstrip("\n") for field in FIELDS] for each in complete]
    return [Problem(at, found, want, fix) for at, found, want, fix in texts]


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

    def as_data(self) -> list[dict[str, Any]]:
        """Return its problems as they go into JSON; never an empty list."""
        problems = self.problems or parse_problems(str(self))
        known = [each.as_data() for each in problems]
        return known or [Problem("", self.headline, "", "").as_data()]


class UsageError(KernelBuilderError):
    """The command line asks for something that does not exist."""

    exit_code = 2
