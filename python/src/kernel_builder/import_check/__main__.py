"""Run the import check: `python3 -m kernel_builder.import_check OPTIONS FOLDER`.

OPTIONS are JSON: the folder's name in messages, `shown_as`; the seconds that the import may take,
`limit`; and the keywords of `load_variant`. `$out/operators.json` gets the schemas of the variant's
operators, and the names of those without code for the backend, as `metadata.json` states them;
`$out/findings.json` gets the warnings.
LOCAL_KERNELS has the kernels that this one loads.
"""

import gc
import json
import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kernel_builder.import_check import (
    boxed,
    compiling,
    ffi,
    operators,
    problems,
    schemas,
    trials,
)
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.layers import check_layers
from kernel_builder.import_check.loading import import_kernel, prepare
from kernel_builder.import_check.problems import FAILED, Place
from kernel_builder.import_check.stand_ins import Questions
from kernel_builder.import_check.trace import Watch
from kernel_builder.messages.problem import FINDINGS, Problem, describe_finding, render

FOREIGN = (
    "operators would be shared with other builds: "
    "their names do not come from add_op_namespace_prefix"
)
CHANGED = "the kernel changes operators that are not its own"
DANGLING = "operators are implemented that nothing defines"
UNREGISTERED = "the kernel calls operators that it does not have"
UNREGISTERED_THERE = "the kernel would call operators that it does not have, under a condition"
UNIMPLEMENTED = "operators have no implementation for the backend of this variant"
SEVERAL = "the kernel's operators are not right"
USELESS = "no operator has an implementation for the backend of this variant"
UNCALLABLE = "Torch cannot call Python functions as the schemas of their operators say"


def load_variant(place: Place, options: "dict[str, Any]") -> Any:
    """Import the variant; return facts of its operators and its `warnings`, or an `error` in parts.

    In `options`, `device` describes the GPU to stand in for; `dispatch_key` is Torch's for the
    backend; packages of `stubs_of` may have driver stubs in `lib/stubs`; `sources` are the names of
    the C++ files; `calls` is the file that the registration check writes; `boxed` is the output of
    the link for the stable ABI.
    """
    questions = Questions(place)
    prepare(options, questions)
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    in_python, raised = operators.watch_registrations(place, namespace), []
    in_functions = schemas.watch_implementations(place)
    in_stable = boxed.watch_boxed(Path(folder)) if (folder := options.get("boxed")) else []
    registered = ffi.list_names()
    before, changes, ops = Watch(place), {}, None
    try:
        kernel, ops = import_kernel(place, options)
        changes = before.list_changes(kernel.__name__)
    except BaseException as error:
        raised = [schemas.suggest_operator(problems.explain_error(error, place), namespace)]
    asked = {"presence": questions.presence, "properties": questions.properties}
    sources, key = options.get("sources", ()), options.get("dispatch_key")
    in_cpp, changed, lacking = operators.check_registered(namespace, sources, key)
    known = compiling.list_schemas(namespace)
    own = sorted(str(schema).partition("::")[2] for schema in known.values())
    without = operators.list_without_code(known, key)
    changed += operators.find_fallbacks(sources)
    errors = [(FOREIGN, [*dict.fromkeys(in_python + in_cpp)]), (CHANGED, changed), (FAILED, raised)]
    warnings = [(UNIMPLEMENTED, lacking)]
    if not raised:
        called = json.loads(Path(options["calls"]).read_text()) if "calls" in options else {}
        functions = ffi.list_functions(place, ops) if registered else []
        unknown, uncertain = operators.find_unregistered(called, ops, own + functions)
        errors += [
            (DANGLING, schemas.find_dangling(namespace, own, place)),
            (boxed.MISMATCH, boxed.check_boxed(in_stable, folder, known)),
            (UNREGISTERED, unknown),
            (USELESS, lacking if without and len(without) == len(own) else []),
        ]
        warnings.append((UNREGISTERED_THERE, uncertain))
    if wrong := [(headline, found) for headline, found in errors if found]:
        first, found = wrong[0][0], [problem for _, found in wrong for problem in found]
        headline = SEVERAL if wrong[1:] else first
        return {"error": headline, "problems": [*map(vars, found)], "asked": asked}
    warnings += [
        (UNCALLABLE, schemas.check_parameters(in_functions, known, place)),
        (compiling.DEAD, compiling.find_dead(known, place)),
        (compiling.ALIASED, compiling.find_aliased(known, place)),
        *check_layers(kernel, place),
    ]
    return {
        "operators": own,
        "operators-without-code": without,
        "operators-without-fake": compiling.list_without_fake(known),
        "warnings": [describe_finding(*each) for each in warnings if each[1]],
        "asked": asked,
        "changed": changes,
        "shared": ffi.list_shared(registered, namespace),
        "others": before.list_others(kernel.__name__),
    }


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    place, limit = Place(folder, options.pop("shown_as")), options.pop("limit")
    # The collector would free little and take a third of the time of an import. A kernel that
    # switches it off is seen.
    gc.set_threshold(0)
    here = str(Path.cwd())
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=here, HOME=here)
    outcome = run_in_child(partial(load_variant, place, options), limit)
    answer = outcome.answer or {}
    error, found = answer.get("error"), [*map(Problem.read, answer.get("problems", ()))]
    more = trials.run_all(place, options, answer, limit)
    if shared := more.pop(ffi.SHARED, None):
        error, found = error or ffi.SHARED, [*found, *shared]
    if error == FAILED:
        found = [*dict.fromkeys([*found, *more.pop(trials.WITH_GPU, ())])]
    if not error and (not answer or outcome.status != 0):
        error, found = FAILED, [problems.explain_end(outcome, place, limit)]
    findings = [*answer.pop("warnings", ())]
    findings += [describe_finding(*each) for each in more.items() if each[1]]
    told = [
        render(f"warning: {each['headline']}", [*map(Problem.read, each["problems"])])
        for each in findings
    ]
    if error:
        told = [render(f"error: {error}", found)]
    for text in filter(None, [outcome.said.rstrip("\n"), *told]):
        print(text, file=sys.stderr)
    if error:
        return 1
    # The kernel may have written to the folder.
    out = Path(os.environ["out"])  # noqa: SIM112
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (out / "operators.json").write_text(json.dumps(answer))
    if findings:
        (out / FINDINGS).write_text(json.dumps(findings))
    print(f"imported {place.shown_as}: {len(answer['operators'])} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
