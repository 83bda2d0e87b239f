"""Runs `torch.library.opcheck` on one call, and words what it says as a problem."""

from __future__ import annotations

from collections.abc import Iterator
from traceback import walk_tb
from typing import Any

import torch
from checking.problem import Problem
from torch._subclasses.fake_tensor import UnsupportedOperatorException
from torch._subclasses.fake_utils import CrossRefFakeMode
from torch._subclasses.schema_check_mode import SchemaCheckMode

from operator_check.recording import Call, describe_results, describe_values

UTILS = ("test_schema", "test_autograd_registration", "test_faketensor")
MODES = {"test_schema": SchemaCheckMode, "test_faketensor": CrossRefFakeMode}

# Parts of Torch's sentences about a schema, which is not followed in several ways.
SCHEMA_FIXES = {
    "mutated": "write {written} in the schema (custom_op: mutates_args), or write to a copy of {name}",
    "return inputs": "return a copy, or nothing and let the Python function return {name}",
    "alias": "return memory of its own: clone() what shares memory with an argument or with another result",
}
LONGEST = 200


def check_call(call: Call) -> "Iterator[tuple[str, Problem]]":
    """Yield the name of each check that fails, and the problem."""
    try:
        args, kwargs = call.copy_arguments()
        result = call.operator(*args, **kwargs)
    except Exception:
        # It needs what the test prepared, such as arguments that share memory.
        return
    outcomes = torch.library.opcheck(
        call.operator, call.args, call.kwargs, test_utils=UTILS, raise_exception=False
    )
    failed = []
    for util, error in outcomes.items():
        found = _find_verdict(util, error, call.operator) if isinstance(error, Exception) else None
        if found is None:
            continue
        # The fake implementation lacks the memory or the gradient that the operator itself should not give.
        if failed and "r" in found and describe_results(found["fake_r"]) == describe_results(result):
            continue
        failed.append(util)
        yield util, WORDINGS[util](call, error, found, result)


def _find_verdict(util: str, error: Exception, operator: Any) -> "dict[str, Any] | None":
    """Return the variables of the check where it judged the operator; None if the check itself failed.

    A check may fail on arguments that its own tools do not know, such as types that cannot be compared.
    """
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if util == "test_autograd_registration":
        is_verdict = isinstance(error, AssertionError) and frames[-1].f_code.co_name == "autograd_registration_check"
        return frames[-1].f_locals if is_verdict else None
    judging = [
        frame
        for frame in frames
        if isinstance(frame.f_locals.get("self"), MODES[util]) and frame.f_locals.get("func") is operator
    ]
    if not judging:
        return None
    if util == "test_schema":
        return judging[-1].f_locals if judging[-1] is frames[-1] else None
    found = judging[-1].f_locals
    inner = {frame.f_code.co_name for frame in frames[frames.index(judging[-1]) :]}
    # Sizes that depend on data cannot be compared, and not every tensor has a fake. C++ operators without a fake
    # implementation are a finding of the import check.
    is_compared = type(error).__name__ == "GuardOnDataDependentSymNode" and "r" in found
    has_none = isinstance(error, UnsupportedOperatorException)
    return None if is_compared or has_none or "from_tensor" in inner else found


def _place(call: Call, found: str, want: str, fix: str) -> Problem:
    name = call.operator.name().partition("::")[2]
    args = ", ".join(filter(None, [*map(describe_values, call.args), describe_values(call.kwargs)]))
    return Problem(f"{call.file}:{call.line}", f"ops.{name}({args}): {found}", want, fix, call.file, call.line)


def _shorten(error: Exception) -> str:
    """Return the first line of what an error says."""
    text = (str(error).strip() or type(error).__name__).splitlines()[0]
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _word_schema(call: Call, error: Exception, found: "dict[str, Any]", result: Any) -> Problem:
    schema, text = call.operator._schema, " ".join(str(error).split())
    name = schema.arguments[found["i"]].name if len(schema.arguments) > found.get("i", 0) else ""
    written = f"Tensor(a!) {name}"
    fix = next((fix for part, fix in SCHEMA_FIXES.items() if part in text), SCHEMA_FIXES["alias"])
    want = f"what its schema says: {str(schema).partition('::')[2]}"
    return _place(call, text, want, fix.format(name=name, written=written))


def _word_fake(call: Call, error: Exception, found: "dict[str, Any]", result: Any) -> Problem:
    real = describe_results(result)
    fix = "return the same from the function of register_fake: torch.compile relies on it"
    if "r" not in found:
        told = f"the fake implementation raises {type(error).__name__}: {_shorten(error)}"
        fix = "give register_fake a function that takes this call"
    elif describe_results(found["fake_r"]) != real:
        told = f"the fake implementation returns {describe_results(found['fake_r'])}"
    else:
        told = f"the fake implementation returns something else: {_shorten(error).rpartition(', found ')[2]}"
    return _place(call, told, f"what the operator returns: {real}", fix)


def _word_autograd(call: Call, error: Exception, found: "dict[str, Any]", result: Any) -> Problem:
    return _place(
        call,
        "the result has a gradient that its code for the CPU computes, not a function at Torch's key Autograd",
        "a gradient that autograd and torch.compile know",
        "register it with torch.library.register_autograd, or in C++ at the key Autograd;"
        " without a gradient, compute under torch::NoGradGuard",
    )


WORDINGS = {
    "test_schema": _word_schema,
    "test_autograd_registration": _word_autograd,
    "test_faketensor": _word_fake,
}
