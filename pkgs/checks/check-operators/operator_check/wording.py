"""Runs `torch.library.opcheck` on one call, and words what it says as a problem."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from traceback import walk_tb
from typing import Any

import torch
from checking.problem import Problem
from torch._subclasses.fake_tensor import UnsupportedOperatorException
from torch._subclasses.fake_utils import CrossRefFakeMode
from torch._subclasses.schema_check_mode import SchemaCheckMode

from operator_check.recording import Call, describe_results, describe_values

SCHEMA, AUTOGRAD, FAKE = UTILS = ("test_schema", "test_autograd_registration", "test_faketensor")
MODES = {SCHEMA: SchemaCheckMode, FAKE: CrossRefFakeMode}
# Parts of Torch's sentences about a schema that the operator does not follow.
SCHEMA_FIXES = {
    "mutated": "write Tensor(a!) {name} in the schema (custom_op: mutates_args), or write to a copy of {name}",
    "return inputs": "return a copy, or return nothing and let the Python function return {name}",
    "alias": "return memory of its own: clone() what shares memory with an argument or with another result",
}
# Characters of a sentence of Torch or of the kernel.
LONGEST = 200


@dataclass(frozen=True)
class Verdict:
    """The verdict of one of `UTILS` on a call: an exception, and the variables of the check where it judged."""

    call: Call
    util: str
    error: Exception
    variables: dict[str, Any]
    result: Any

    @property
    def is_raised(self) -> bool:
        """Say whether the fake implementation itself raised the exception."""
        return "r" not in self.variables

    @property
    def fake_result(self) -> str:
        """The types that the fake implementation returned."""
        return describe_results(self.variables["fake_r"])

    def word(self) -> Problem:
        """Return the problem."""
        found, want, fix = {SCHEMA: _word_schema, AUTOGRAD: _word_autograd, FAKE: _word_fake}[self.util](self)
        call = self.call
        name = call.operator.name().partition("::")[2]
        args = ", ".join(filter(None, [*map(describe_values, call.args), describe_values(call.kwargs)]))
        return Problem(f"{call.file}:{call.line}", f"ops.{name}({args}): {found}", want, fix, call.file, call.line)


def check_call(call: Call) -> Iterator[Verdict]:
    """Yield what each check of `UTILS` finds."""
    try:
        args, kwargs = call.copy_arguments()
        result = call.operator(*args, **kwargs)
    except Exception:
        # It needs what the test prepared, such as arguments that share memory.
        return
    outcomes = torch.library.opcheck(call.operator, call.args, call.kwargs, test_utils=UTILS, raise_exception=False)
    failed = False
    for util, error in outcomes.items():
        variables = _find_variables(util, error, call.operator) if isinstance(error, Exception) else None
        if variables is None:
            continue
        verdict = Verdict(call, util, error, variables, result)
        # A fake implementation lacks the shared memory or the gradient that the operator itself should not give.
        if failed and util == FAKE and not verdict.is_raised and verdict.fake_result == describe_results(result):
            continue
        failed = True
        yield verdict


def _find_variables(util: str, error: Exception, operator: Any) -> dict[str, Any] | None:
    """Return the variables of the check where it judged the operator; None if the check itself failed.

    A check may fail on arguments that its own tools do not know, such as types that cannot be compared.
    """
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if util == AUTOGRAD:
        is_verdict = isinstance(error, AssertionError) and frames[-1].f_code.co_name == "autograd_registration_check"
        return frames[-1].f_locals if is_verdict else None
    judging = [
        frame
        for frame in frames
        if isinstance(frame.f_locals.get("self"), MODES[util]) and frame.f_locals.get("func") is operator
    ]
    if not judging:
        return None
    frame = judging[-1]
    if util == SCHEMA:
        return frame.f_locals if frame is frames[-1] else None
    # Sizes that depend on data cannot be compared, and not every tensor has a fake one. Operators without a fake
    # implementation are a finding of the import check.
    is_undecided = "r" in frame.f_locals and type(error).__name__ == "GuardOnDataDependentSymNode"
    inner = {frame.f_code.co_name for frame in frames[frames.index(frame) :]}
    if is_undecided or "from_tensor" in inner or isinstance(error, UnsupportedOperatorException):
        return None
    return frame.f_locals


def _shorten(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _word_schema(verdict: Verdict) -> tuple[str, str, str]:
    schema, text = verdict.call.operator._schema, " ".join(str(verdict.error).split())
    arguments, index = schema.arguments, verdict.variables.get("i", 0)
    name = arguments[index].name if index < len(arguments) else ""
    fix = next((fix for part, fix in SCHEMA_FIXES.items() if part in text), SCHEMA_FIXES["alias"])
    want = f"what its schema says: {str(schema).partition('::')[2]}"
    return _shorten(text), want, fix.format(name=name)


def _word_autograd(_: Verdict) -> tuple[str, str, str]:
    return (
        "the result has a gradient that its code for this backend computes, and no function at Torch's key Autograd",
        "a gradient that autograd and torch.compile know",
        "register it with torch.library.register_autograd, or in C++ at the key Autograd;"
        " without a gradient, compute under torch::NoGradGuard",
    )


def _word_fake(verdict: Verdict) -> tuple[str, str, str]:
    real, error = describe_results(verdict.result), verdict.error
    (text, *_) = (str(error).strip() or "no message").splitlines()
    fix = "return the same from the function of register_fake: torch.compile relies on it"
    if verdict.is_raised:
        found = f"the fake implementation raises {type(error).__name__}: {_shorten(text)}"
        fix = "give register_fake a function that takes this call"
    elif verdict.fake_result != real:
        found = f"the fake implementation returns {verdict.fake_result}"
    else:
        found = f"the fake implementation returns something else: {_shorten(text.rpartition(', found ')[2])}"
    return found, f"what the operator returns: {real}", fix
