"""Warns of an import that fails with other versions of Torch and Triton than the build has."""

from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem, describe_finding

FAILS = "the kernel cannot be imported with other versions that it is published for"
WANT = "an import with every Torch: a variant without compiled code is published for all of them"
FIX = (
    "use what only some have in the function that needs it, or behind a check of the version\n"
    "(torch.__version__, triton.__version__); or say in the card which Torch the kernel needs"
)


def name_versions() -> str:
    """Return the releases of Torch and Triton that are installed, imported or not."""
    found = []
    for name, project in (("Torch", "torch"), ("Triton", "triton")):
        with suppress(PackageNotFoundError):
            found.append(f"{name} {version(project).partition('+')[0]}")
    return " and ".join(found)


def describe_failures(found: "list[Problem]", place: Place) -> "list[dict[str, Any]]":
    """Return the finding about an import that fails with these versions, if it does."""
    versions = name_versions()
    failures = [
        Problem(each.at or place.shown_as, f"with {versions}: {each.found}", WANT, FIX)
        for each in found
    ]
    return [describe_finding(FAILS, failures)] if failures else []
