"""Run the import check: `python3 -m kernel_builder.import_check OPTIONS FOLDER`.

OPTIONS are JSON: the folder's name in messages, `shown_as`; the seconds that the import may take,
`limit`; whether this `is_trial`; and the keywords of `load_variant`. `$out/operators.json` gets the
schemas of the variant's operators, and the names of those without code for the backend, as
`metadata.json` states them; `$out/findings.json` gets the warnings. A trial warns of an import that
fails and of nothing else, and `$out/versions` gets the versions of Torch and Triton.
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
    exports,
    ffi,
    names,
    problems,
    trials,
    tuners,
    verdict,
    versions,
)
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.layers import check_layers
from kernel_builder.import_check.loading import import_kernel, prepare
from kernel_builder.import_check.problems import FAILED, Place
from kernel_builder.import_check.stand_ins import Questions
from kernel_builder.import_check.trace import Watch
from kernel_builder.import_check.writes import Writes
from kernel_builder.messages.problem import FINDINGS, Problem, describe_finding, render


def load_variant(place: Place, options: "dict[str, Any]") -> Any:
    """Import the variant; return facts of its operators and its `warnings`, or an `error` in parts.

    In `options`, `device` describes the GPU to stand in for; `dispatch_key` is Torch's for the
    backend; packages of `stubs_of` may have driver stubs in `lib/stubs`; `sources` are the names of
    the C++ files; `calls` and `schemas` are files that the registration check writes; `boxed` is an
    output of the link.
    """
    questions = Questions(place)
    prepare(options, questions)
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    watched, ops, raised = verdict.watch(place, options, namespace), None, []
    before, writes, changes = Watch(place), Writes(place), {}
    try:
        kernel, ops = import_kernel(place, options)
        changes = before.list_changes(kernel.__name__)
    except BaseException as error:
        raised = [problems.explain_error(error, place)]
    queries = {"presence": questions.presence, "properties": questions.properties}
    wrong, warnings, facts = verdict.check_operators(watched, ops, raised)
    if found := [problem for _, group in wrong for problem in group]:
        headline = verdict.SEVERAL if wrong[1:] else wrong[0][0]
        return {"error": headline, "problems": [*map(vars, found)], "queries": queries}
    warnings += check_layers(kernel, place)
    warnings.append(names.check_names(kernel.__name__, place))
    warnings.append(tuners.check_tuners(kernel.__name__, place))
    warnings += [exports.check_exports(kernel.__name__, place), writes.describe()]
    return {
        **facts,
        "imported-with": list_versions(place),
        "warnings": [describe_finding(*each) for each in warnings if each[1]],
        "queries": queries,
        "changed": changes,
        "modules": before.list_modules(kernel.__name__),
    }


def list_versions(place: Place) -> "dict[str, str] | None":
    """Return the versions that the import had, for a kernel that is published for every Torch."""
    if any(place.folder.glob("*.so")):
        return None
    loaded = [name for name in ("torch", "triton") if name in sys.modules]
    return {name: str(sys.modules[name].__version__).partition("+")[0] for name in loaded}


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    place, limit = Place(folder, options.pop("shown_as")), options.pop("limit")
    is_trial = options.pop("is_trial", False)
    # The collector would free little and take a third of the time of an import. A kernel that
    # switches it off is seen.
    gc.set_threshold(0)
    home = str(Path.cwd())
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=home, HOME=home)
    outcome = run_in_child(partial(load_variant, place, options), limit)
    answer = outcome.answer or {}
    error, found = answer.get("error"), [*map(Problem.read, answer.get("problems", ()))]
    more = trials.run_all(place, options, answer, limit)
    if shared := more.pop(ffi.SHARED, None):
        error, found = error or ffi.SHARED, [*found, *shared]
    if error == FAILED:
        found = [*dict.fromkeys([*found, *more.pop(trials.WITH_GPU, ())])]
    if not error and (not answer or outcome.status != 0):
        end = problems.explain_end(outcome, place, limit)
        error, found = FAILED, [problems.show_schema(end, options.get("schemas"))]
    findings = [*answer.pop("warnings", ())]
    findings += [describe_finding(*each) for each in more.items() if each[1]]
    if is_trial:
        # The build itself warns of all that is odd with every Torch.
        found = found or more.get(trials.WITH_GPU, [])
        findings, error = versions.describe_failures(found, place), None
    messages = [
        render(f"warning: {each['headline']}", [*map(Problem.read, each["problems"])])
        for each in findings
    ]
    if error:
        messages = [render(f"error: {error}", found)]
    for text in filter(None, [outcome.shown, *messages]):
        print(text, file=sys.stderr)
    if error:
        return 1
    # The kernel may have written to the folder.
    out = Path(os.environ["out"])  # noqa: SIM112
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    if findings:
        (out / FINDINGS).write_text(json.dumps(findings))
    if is_trial:
        (out / "versions").write_text(versions.name_versions())
        return 0
    (out / "operators.json").write_text(json.dumps(answer))
    print(f"imported {place.shown_as}: {len(answer['operators'])} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
