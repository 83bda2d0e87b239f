"""The messages about a kernel, and whether one of them is that of a mistake."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.problem import FINDINGS
from tests.mistakes.tables import Mistake

# The place and the text of a problem.
Message = tuple[str, str]


@dataclass(frozen=True)
class Said:
    errors: list[Message] = field(default_factory=list)
    warnings: list[Message] = field(default_factory=list)

    def find(self, mistake: Mistake, folder: Path) -> bool:
        """Return whether a message of the right kind has the place and the texts."""
        said = self.errors if mistake.kind == "error" else self.warnings
        places = [*find_places(folder, mistake)]
        return any(
            # Nix says in the text where a mistake of flake.nix is.
            any(is_at(place, f"{at}\n{text}") for place in places)
            and all(each in text for each in mistake.says)
            for at, text in said
        )


def find_places(folder: Path, mistake: Mistake) -> Iterator[str]:
    """Yield the texts that a message may name as the place, one for each line with `line`."""
    if not mistake.line:
        yield mistake.at
        return
    lines = (folder / mistake.at).read_text().splitlines()
    numbers = [number for number, text in enumerate(lines, 1) if mistake.line in text]
    assert numbers, f"{mistake.label}: no line of {mistake.at} has {mistake.line!r}"
    for number in numbers:
        yield f"{mistake.at}:{number}"
        # nvcc writes it so.
        yield f"{mistake.at}({number})"


def is_at(place: str, text: str) -> bool:
    """Return whether a text names a place, and not line 12 for line 1."""
    return any(not rest[:1].isdigit() for rest in text.split(place)[1:])


def describe(problem: Problem, headline: str = "") -> Message:
    """Return the place of a problem, and its text."""
    return problem.at, "\n".join([headline, problem.found, problem.want, problem.fix])


def describe_errors(errors: Sequence[KernelBuilderError]) -> list[Message]:
    """Return a message for each problem; the headline is that of an error without."""
    return [
        describe(problem)
        for error in errors
        for problem in (error.problems or [Problem("", error.headline, "", "")])
    ]


def read_findings(out: str) -> list[Message]:
    """Return the warnings in the output of a step."""
    file = Path(out, FINDINGS)
    found = json.loads(file.read_text()) if file.exists() else []
    return [
        describe(Problem.read(each), finding["headline"])
        for finding in found
        for each in finding["problems"]
    ]
