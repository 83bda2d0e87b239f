"""Build changed kernels together, as `kernel-builder build` does, and collect what is said."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kernel_builder.commands.evaluate import check_kernel
from kernel_builder.kernel.manifest import collect_warnings
from kernel_builder.kernel.several import Outcome, attempt_each
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.problem import FINDINGS
from kernel_builder.variants.build import BuildResult, build_kernels
from kernel_builder.variants.table import Choice
from tests.derivation import closure_of
from tests.evaluation import SYSTEM
from tests.mistakes.tables import Mistake, find_places

CHOICES = {
    "build": Choice(backends=("cpu",)),
    "noarch": Choice(names=("torch-cuda",)),
    "cuda": Choice(names=(f"torch213-cxx11-cu130-{SYSTEM}",), targets=("9.0",)),
}


@dataclass(frozen=True)
class Said:
    """The errors and warnings of one kernel, each a place and a text."""

    errors: list[tuple[str, str]] = field(default_factory=list)
    warnings: list[tuple[str, str]] = field(default_factory=list)

    def find(self, mistake: Mistake, folder: Path) -> bool:
        """Return whether a message of the right kind has the place and the texts."""
        said = self.errors if mistake.kind == "error" else self.warnings
        places = [*find_places(folder, mistake)]
        return any(
            # Nix says in the text where a mistake of flake.nix is.
            any(is_at(place, f"{at}\n{text}") for place in places) and all(each in text for each in mistake.says)
            for at, text in said
        )


def is_at(place: str, at: str) -> bool:
    """Return whether a message's `at` names a place, and not the line 12 for the line 1."""
    return any(not rest[:1].isdigit() for rest in at.split(place)[1:])


def try_kernels(folders: Mapping[str, Path], tier: str) -> dict[str, Said]:
    """Check or build the kernels in these folders in one go; return what is said of each."""
    if tier == "evaluation":
        checked = attempt_each(folders.values(), check_kernel, "checking")
        return dict(zip(folders, map(read_check, checked), strict=True))
    if len(folders) == 1:
        # A single kernel raises its error. A second one has the same steps.
        folders = {**folders, "again": next(iter(folders.values()))}
    results = build_kernels([*folders.values()], CHOICES[tier])
    return dict(zip(folders, map(collect, results), strict=True))


def read_check(checked: Outcome[dict[str, Any]]) -> Said:
    """Return what `check-config` says."""
    if isinstance(checked, KernelBuilderError):
        return Said(describe_errors([checked]))
    assert isinstance(checked, dict)
    return Said([], [(each["at"], describe(Problem.read(each))) for each in checked["warnings"]])


def describe_errors(errors: Sequence[KernelBuilderError]) -> list[tuple[str, str]]:
    """Return the place and text of each problem; the headline is that of an error without."""
    return [
        (problem.at, describe(problem))
        for error in errors
        for problem in (error.problems or [Problem("", error.headline, "", "")])
    ]


def collect(result: BuildResult) -> Said:
    """Return the errors and the warnings of a kernel, of the evaluation and of all steps."""
    warnings = []
    if result.kernel:
        found = [*collect_warnings(result.kernel, result.manifest), *result.kernel.find_unseen()]
        warnings = [(each.at, describe(each)) for each in found]
    warnings += [entry for drv in result.derivations.values() for entry in read_findings(drv)]
    return Said(describe_errors(result.errors), warnings)


def describe(problem: Problem, headline: str = "") -> str:
    """Return the text of a problem without its place."""
    return "\n".join([headline, problem.found, problem.want, problem.fix])


def read_findings(drv: str) -> Iterator[tuple[str, str]]:
    """Yield the warnings in the outputs of the steps of a variant."""
    for step in closure_of(drv):
        for out in step.outputs.values():
            file = Path(out, FINDINGS)
            if os.path.lexists(file):
                for each in json.loads(file.read_text()):
                    for data in map(Problem.read, each["problems"]):
                        yield data.at, describe(data, each["headline"])
