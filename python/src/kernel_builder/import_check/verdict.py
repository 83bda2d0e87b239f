"""Decides whether an import worked: by its answer, and by how the process ended."""

import signal

from kernel_builder.import_check.advice import LEAVE_OUT, Place, advise_on_text
from kernel_builder.import_check.child import Outcome
from kernel_builder.import_check.output import find_frames
from kernel_builder.messages.problem import Problem

FAILED = "the kernel cannot be imported"
FOREIGN = (
    "operators would be shared with other builds: "
    "their names do not come from add_op_namespace_prefix"
)
RETURNS = "an import that returns, and a Python that ends by itself"


def find_problems(outcome: Outcome, place: Place, limit: float) -> "tuple[str, list[Problem]]":
    """Return the headline and the problems of an import that had `limit` seconds."""
    answer = outcome.answer
    if answer and "problems" in answer:
        headline = FOREIGN if answer["is_foreign"] else FAILED
        return headline, [Problem.read(each) for each in answer["problems"]]
    if answer and outcome.status == 0:
        return "", []
    want, fix = RETURNS, "take out what ends it"
    at = place.show_frames(find_frames(outcome.stack))
    when = "after the import" if answer else "during the import"
    if outcome.is_garbled:
        at, want = place.shown_as, "an import that leaves other files alone"
        found = "bytes of the kernel in the file descriptor for the answer of the check"
        fix = "write only to files that the kernel opens"
    elif outcome.status is None:
        found = f"no end within {limit:g} s, {when}"
        fix = "move what computes or waits into a function that runs when it is needed"
    else:
        found = f"the process ended with {_show_status(outcome.status)} {when}"
        if what := outcome.output.find_what():
            want, fix = advise_on_text(None, what)
            found = f"{what}\n{found}"
    return FAILED, [Problem(at, found, want, f"{fix}; {LEAVE_OUT}")]


def _show_status(status: int) -> str:
    """Return an exit status, or the name of the signal if it is negative."""
    if status >= 0:
        return f"status {status}"
    return f"signal {-status} ({signal.Signals(-status).name})"
