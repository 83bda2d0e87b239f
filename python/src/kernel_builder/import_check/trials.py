"""Further imports, each in a process of its own, that answer questions about the first one.

Torch registers no operator twice, so a process imports a kernel once.
"""

from functools import partial
from typing import Any

from kernel_builder.import_check import ffi, problems, stand_ins
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.loading import import_kernel, prepare
from kernel_builder.import_check.problems import FAILED, Place
from kernel_builder.import_check.stand_ins import Questions
from kernel_builder.import_check.trace import CHANGED, Watch, load_modules
from kernel_builder.messages.problem import Problem

WITH_GPU = "the import would fail where there is a GPU"
WITHOUT_GPU = "the import fails where there is no GPU"
ASK_LATER = (
    "ask in the function that needs the answer (with functools.cache), or behind\n"
    "`if torch.{}.is_available()`; a process that asked also cannot be forked"
)
MOST_TRIALS = 8


def run_all(
    place: Place, options: "dict[str, Any]", answer: "dict[str, Any]", limit: float
) -> "dict[str, list[Problem]]":
    """Run the trials that the answer of the first import calls for; return their findings.

    The fields of the answer that only trials read are removed from it.
    """
    keys = ("queries", "changed", "shared", "modules")
    queries, changed, shared, modules = (answer.pop(key, {}) for key in keys)
    found: dict[str, list[Problem]] = {}
    if queries.get("presence") or answer.get("error") == FAILED:
        found[WITH_GPU] = _repeat(partial(import_with_gpu, place, options), limit)
    if queries.get("properties") and not answer.get("error"):
        found[WITHOUT_GPU] = _repeat(partial(import_without_gpu, place, options), limit)
    if shared:
        # A package of others may have registered them.
        trial = run_in_child(partial(list_ffi_names, options, modules), limit).answer or {}
        found[ffi.SHARED] = ffi.describe({*shared} - {*trial.get("names", ())}, place)
    if changed:
        work = partial(find_changes, place, options, changed, modules)
        trial = run_in_child(work, limit).answer or {}
        plain = [Problem(place.shown_as, how, "", "") for how, _ in changed.values()]
        found[CHANGED] = [*map(Problem.read, trial.get("problems", map(vars, plain)))]
    return found


def _repeat(trial: Any, limit: float) -> "list[Problem]":
    """Run a trial until it finds nothing new; it gets the names of what it found before."""
    found: dict[str, Problem] = {}
    while len(found) < MOST_TRIALS:
        answer = run_in_child(partial(trial, [*found]), limit).answer or {}
        if answer.get("error", "") in ("", *found):
            break
        found[answer["error"]] = Problem.read(answer["problems"][0])
    return [*found.values()]


def import_with_gpu(place: Place, options: "dict[str, Any]", absent: "list[str]") -> Any:
    """Import where there is a GPU and modules of these names; return a name that is lacking.

    It is empty if the import fails otherwise: such an error may be that of a machine without GPU.
    """
    prepare(options, Questions(place), is_there=True)
    stand_ins.provide(absent)
    try:
        import_kernel(place, options)
    except BaseException as error:
        raised = vars(problems.explain_error(error, place))
        return {"error": problems.find_lost(error, place), "problems": [raised]}
    return {"error": ""}


def import_without_gpu(place: Place, options: "dict[str, Any]", answered: "list[str]") -> Any:
    """Import where questions about the GPU fail; return the lines whose question ends the import.

    The lines in `answered` get an answer.
    """
    questions = Questions(place, answered)
    prepare(options, questions)
    try:
        import_kernel(place, options)
    except BaseException as error:
        lines = next((at for at, text in questions.refused.items() if text in str(error)), "")
        found = f"{questions.refused.get(lines, '')} during the import"
        want = "an import that works without a GPU"
        fix = ASK_LATER.format(options["device"]["module"])
        return {"error": lines, "problems": [vars(Problem(lines, found, want, fix))]}
    return {"error": ""}


def find_changes(
    place: Place, options: "dict[str, Any]", changed: "dict[str, Any]", modules: "list[str]"
) -> Any:
    """Import with a trace of what changed, after the modules of others; return the changes."""
    prepare(options, Questions(place))
    # The first import loads TVM FFI before it looks at the process, too.
    ffi.list_names()
    load_modules(modules)
    before = Watch(place)
    before.trace(changed)
    kernel, _ = import_kernel(place, options)
    return {"error": "", "problems": [*map(vars, before.describe(kernel.__name__))]}


def list_ffi_names(options: "dict[str, Any]", modules: "list[str]") -> Any:
    """Import the modules of others alone; return the names that TVM FFI has then."""
    prepare(options, Questions())
    load_modules(modules)
    return {"names": sorted(ffi.list_names())}
