"""Prints the problems that checks find, in the form of all errors of the project."""

import sys

from kernel_builder.messages.problem import Problem, render

__all__ = ["Problem", "tell", "warn"]


def tell(headline: str, problems: "list[Problem]") -> int:
    """Print the problems and return the exit status: 1 if there are any."""
    if not problems:
        return 0
    sys.stdout.flush()
    print(render(f"error: {headline}", problems), file=sys.stderr)
    return 1


def warn(headline: str, problems: "list[Problem]") -> None:
    """Print problems that do not fail the check."""
    if problems:
        sys.stdout.flush()
        print(render(f"warning: {headline}", problems), file=sys.stderr)
