"""Errors for users: a headline and its problems.

Every problem answers four questions (where, what was found, what was wanted, what to do), so
that no message leaves the reader without a way out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from kernel_builder.messages.problem import FIELDS as FIELDS
from kernel_builder.messages.problem import INDENT as INDENT
from kernel_builder.messages.problem import Problem as Problem
from kernel_builder.messages.problem import render as render

_FIRST: Final = re.compile(r"^( *)at {5}", re.MULTILINE)


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


class KernelBuilderError(Exception):
    """An error with a way out; `problems` say what is wrong, and what to do about it."""

    exit_code: ClassVar[int] = 1

    def __init__(self, headline: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(render(headline, problems))
        self.headline = headline
        self.problems = tuple(problems)

    def as_data(self) -> list[dict[str, Any]]:
        """Return the problems as JSON has them: at least one."""
        problems = self.problems or parse_problems(str(self))
        known = [each.as_data() for each in problems]
        return known or [Problem("", self.headline, "", "").as_data()]


class UsageError(KernelBuilderError):
    """The command line asks for something that does not exist."""

    exit_code = 2


def read_error(text: str, headline: str) -> KernelBuilderError:
    """Return the error that another program printed; `headline` is used if it has none."""
    text = text.strip().partition("error: ")[2] or text.strip()
    problems = parse_problems(text)
    first = text.split("\n", 1)[0]
    return KernelBuilderError(
        (first.rpartition(" (")[0] if problems else text) or headline, problems
    )
