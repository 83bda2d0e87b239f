"""Errors for users: a headline and its problems, each with its place and a way out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from kernel_builder.messages.problem import FIELDS as FIELDS
from kernel_builder.messages.problem import INDENT as INDENT
from kernel_builder.messages.problem import Problem as Problem
from kernel_builder.messages.problem import render as render


def _match_field(name: str) -> str:
    # Further lines of a value are blank or aligned with its first line.
    return rf"{name}\b *(.*(?:\n(?:\1 {{7}}.*)?(?=\n|\Z))*)"


_PROBLEM: Final = re.compile("^( *)" + r"\n\1".join(map(_match_field, FIELDS)), re.MULTILINE)


def parse_problems(text: str) -> list[Problem]:
    """Return the problems in a message, as `render` and `lib/messages/check.nix` write them."""
    return [
        Problem(*(each.replace(f"\n{margin}{INDENT}", "\n").rstrip("\n") for each in values))
        for margin, *values in _PROBLEM.findall(text)
    ]


class KernelBuilderError(Exception):
    """An error with a way out; `problems` say what is wrong, and what to do about it."""

    exit_code: ClassVar[int] = 1

    def __init__(self, headline: str, problems: Sequence[Problem] = ()) -> None:
        super().__init__(render(headline, problems))
        self.headline = headline
        self.problems = tuple(problems)

    def as_data(self) -> list[dict[str, Any]]:
        """Return the problems as JSON has them: at least one."""
        problems = self.problems or [Problem("", self.headline, "", "")]
        return [each.as_data() for each in problems]


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
