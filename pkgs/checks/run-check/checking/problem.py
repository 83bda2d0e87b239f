"""Problems that checks find, printed in the form of all errors of the project."""

import sys
from dataclasses import dataclass

INDENT = " " * 7


@dataclass(frozen=True)
class Problem:
    """A problem: its place, what was found, what is wanted, and how to fix it."""

    at: str
    found: str
    want: str
    fix: str

    def __str__(self) -> str:
        lines = []
        for field in ("at", "found", "want", "fix"):
            first, *rest = getattr(self, field).splitlines() or [""]
            lines.append(f"{INDENT}{field:<7}{first}".rstrip())
            lines += [f"{INDENT}{'':<7}{line}".rstrip() for line in rest]
        return "\n".join(lines)


def tell(headline: str, problems: "list[Problem]") -> int:
    """Print the problems and return the exit status: 1 if there are any."""
    if not problems:
        return 0
    _print(f"error: {headline}", problems)
    return 1


def warn(headline: str, problems: "list[Problem]") -> None:
    """Print problems that do not fail the check."""
    if problems:
        _print(f"warning: {headline}", problems)


def _print(headline: str, problems: "list[Problem]") -> None:
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    sys.stdout.flush()
    print("\n\n".join([f"{headline} ({count})", *map(str, problems)]), file=sys.stderr)
