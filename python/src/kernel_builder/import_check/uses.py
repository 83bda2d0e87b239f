"""Compares the calls that Python code writes with the schemas of the operators that it calls."""

from collections.abc import Iterable
from typing import Any

from kernel_builder.messages.problem import Problem

UNFIT = "the kernel calls operators with arguments that they do not take"
UNFIT_THERE = "the kernel would call operators with arguments that they do not take"


def find_unfit(
    uses: "Iterable[dict[str, Any]]", schemas: "dict[str, Any]"
) -> "tuple[list[Problem], list[Problem]]":
    """Return a problem for each call that no schema takes, and for those that may never run.

    `uses` are the calls as the registration check writes them; `schemas` are those of the build, by
    full name.
    """
    errors: list[Problem] = []
    warnings: list[Problem] = []
    for use in uses:
        base, _, overload = use["name"].partition(".")
        known = [
            schema
            for full, schema in schemas.items()
            if full.partition("::")[2].partition(".")[0] == base
            and (not overload or schema.overload_name == overload.replace("default", ""))
        ]
        reasons = [_find_reason(use, schema) for schema in known]
        if reasons and all(reasons):
            want = "\n".join(str(schema).partition("::")[2] for schema in known)
            found = f"ops.{use['name']}(…) with {reasons[0]}"
            problem = Problem(use["at"], found, want, "correct the call, or the schema")
            (warnings if use["conditional"] else errors).append(problem)
    return errors, warnings


def _find_reason(use: "dict[str, Any]", schema: Any) -> str:
    """Return why the schema does not take the arguments, or an empty string."""
    positional = [each.name for each in schema.arguments if not each.kwarg_only]
    names = {each.name for each in schema.arguments}
    given = [*positional[: use["positional"]], *use["keywords"]]
    if use["positional"] > len(positional):
        return f"{use['positional']} arguments by position, where it takes {len(positional)}"
    for name in use["keywords"]:
        if name not in names:
            return f"the argument {name}, which it does not have"
        if given.count(name) > 1:
            return f"the argument {name} twice"
    needed = [each.name for each in schema.arguments if not each.has_default_value()]
    lacking = [name for name in needed if name not in given]
    return f"no value for {', '.join(lacking)}" if lacking else ""
