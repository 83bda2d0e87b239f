"""Prints the problems that checks find, in the form of all errors of the project."""

import json
import os
import sys
from pathlib import Path

from kernel_builder.messages.problem import FINDINGS, Problem, describe_finding, render

__all__ = ["Problem", "tell", "warn"]


def tell(headline: str, problems: "list[Problem]") -> int:
    """Print the problems and return the exit status: 1 if there are any."""
    if not problems:
        return 0
    sys.stdout.flush()
    print(render(f"error: {headline}", problems), file=sys.stderr)
    return 1


def warn(headline: str, problems: "list[Problem]") -> None:
    """Print problems that do not fail the check, and add them to the findings in the output of its step."""
    if not problems:
        return
    sys.stdout.flush()
    print(render(f"warning: {headline}", problems), file=sys.stderr)
    if out := os.environ.get("out"):
        file = Path(out) / FINDINGS
        known = json.loads(file.read_text()) if file.exists() else []
        file.write_text(json.dumps([*known, describe_finding(headline, problems)]))
