"""Decides by how the importing process ended, and by its answer, whether the import worked."""

import re
import signal

from checking.problem import Problem, tell

from import_check.advice import LEAVE_OUT, Place, advise
from import_check.child import Answer, Outcome
from import_check.output import find_frames

FAILED = "the kernel cannot be imported"
FOREIGN = "operators would be shared with other builds: their names do not come from add_op_namespace_prefix"
RETURNS = "an import that returns, and a Python that ends by itself"
FIELDS = {"at", "found", "want", "fix"}
# One operator as Torch prints it.
OPERATOR = re.compile(r"\w+(\.\w+)?\([^\n]*\) -> [^\n]+")


def judge(outcome: Outcome, place: Place, limit: float) -> int:
    """Print the problems with an import that had `limit` seconds; return 1 if there are any, as an exit status."""
    if outcome.answer is not None and (problems := _read_problems(outcome.answer)):
        return tell(FOREIGN if outcome.answer.get("is_foreign") else FAILED, problems)
    problem = _find_problem(outcome, place, limit)
    return tell(FAILED, [problem] if problem else [])


def _find_problem(outcome: Outcome, place: Place, limit: float) -> "Problem | None":
    """Return the problem that the end of the process is."""
    is_imported = outcome.answer is not None and is_success(outcome.answer)
    if is_imported and outcome.status == 0:
        return None
    if outcome.is_garbled or (outcome.answer and not is_imported):
        found = "bytes of the kernel in the file descriptor for the answer of the check"
        fix = "write only to files that the kernel opens"
        return Problem(place.shown_as, found, "an import that leaves other files alone", f"{fix}; {LEAVE_OUT}")
    at = place.show_frames(find_frames(outcome.stack))
    when = "after the import" if is_imported else "during the import"
    if outcome.status is None:
        fix = "move what computes or waits into a function that runs when it is needed"
        return Problem(at, f"no end within {limit:g} s, {when}", RETURNS, f"{fix}; {LEAVE_OUT}")
    found = f"the process ended with {_show_status(outcome.status)} {when}"
    if what := outcome.output.find_what():
        want, fix = advise(None, what)
        return Problem(at, f"{what}\n{found}", want, f"{fix}; {LEAVE_OUT}")
    return Problem(at, found, RETURNS, f"take out what ends it; {LEAVE_OUT}")


def _show_status(status: int) -> str:
    """Return an exit status or, if it is negative, a signal as people know it."""
    return f"status {status}" if status >= 0 else f"signal {-status} ({signal.Signals(-status).name})"


def _read_problems(answer: Answer) -> "list[Problem]":
    """Return the problems in an answer; none if it has another form."""
    problems = answer.get("problems")
    if not isinstance(problems, list) or not all(isinstance(each, dict) and set(each) == FIELDS for each in problems):
        return []
    return [Problem(**{field: str(text) for field, text in each.items()}) for each in problems]


def is_success(answer: Answer) -> bool:
    """Say whether an answer has the form of one after an import that worked."""
    operators = answer.get("operators")
    return (
        set(answer) == {"name", "names", "operators"}
        and isinstance(answer["name"], str)
        and isinstance(answer["names"], int)
        and isinstance(operators, list)
        and all(isinstance(each, str) and OPERATOR.fullmatch(each) for each in operators)
    )
