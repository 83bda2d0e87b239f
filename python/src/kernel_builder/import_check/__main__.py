"""Run the import check: `python3 -m kernel_builder.import_check OPTIONS FOLDER`.

OPTIONS are JSON: the folder's name in messages, `shown_as`; the seconds that the import may take,
`limit`; and the keywords of `load_variant`. `$out/operators.json` gets the schemas of the variant's
operators, and the names of those without code for the backend, as `metadata.json` states them;
`$out/findings.json` gets the warnings.
LOCAL_KERNELS has the kernels that this one loads.
"""

import ctypes
import gc
import json
import os
import shutil
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from kernel_builder.import_check import problems, stand_ins, verdict
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.problems import FAILED, Place
from kernel_builder.messages.problem import FINDINGS, Problem, describe_finding, render

WITH_GPU = "the import would fail where there is a GPU"
# Further imports, each in a process of its own, since Torch registers no operator twice.
MOST_TRIALS = 8


def load_variant(place: Place, options: "dict[str, Any]", absent: "list[str] | None" = None) -> Any:
    """Import the variant; return facts of its operators and its `warnings`, or an `error` in parts.

    In `options`, `device` describes the GPU to stand in for; `dispatch_key` is Torch's for the
    backend; packages of `stubs_of` may have driver stubs in `lib/stubs`; `sources` are the names of
    the C++ files; `calls` is the file that the registration check writes; `boxed` is an output of
    the link.

    With `absent`, this is a trial: that GPU is there, and so are modules of these names. `error` is
    then a name that the kernel lacks, or empty: other errors may be those of a machine without GPU.
    """
    from kernels import get_local_kernel

    # The loader finds a library by its name if the process has already loaded it.
    for package in options.get("stubs_of", ()):
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    if device := options.get("device"):
        stand_ins.install(device, is_there=absent is not None)
    stand_ins.provide(absent or ())
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    watched, ops, raised, lost = verdict.watch(place, options, namespace), None, [], ""
    try:
        kernel = get_local_kernel(place.folder, backend=options["backend"])
        # A kernel may import it later, or never.
        ops = import_module(f"{kernel.__name__}._ops").ops
    except BaseException as error:
        raised, lost = [problems.explain_error(error, place)], problems.find_lost(error, place)
    if absent is not None:
        return {"error": lost, "problems": [*map(vars, raised)]}
    wrong, warnings, facts = verdict.check_operators(watched, ops, raised)
    if found := [problem for _, group in wrong for problem in group]:
        headline = verdict.SEVERAL if wrong[1:] else wrong[0][0]
        return {"error": headline, "problems": [*map(vars, found)]}
    return {**facts, "warnings": [describe_finding(*each) for each in warnings if each[1]]}


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    place, limit = Place(folder, options.pop("shown_as")), options.pop("limit")
    texts = (file.read_text(errors="replace") for file in folder.rglob("*.py"))
    asks = options.get("device") and any("is_available(" in text for text in texts)
    # The collector would free little and take a third of the time of an import.
    gc.disable()
    here = str(Path.cwd())
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=here, HOME=here)
    outcome = run_in_child(partial(load_variant, place, options), limit)
    answer = outcome.answer or {}
    error, found = answer.get("error"), [*map(Problem.read, answer.get("problems", ()))]
    more: dict[str, Problem] = {}
    while (asks or error == FAILED) and len(more) < MOST_TRIALS:
        trial = run_in_child(partial(load_variant, place, options, [*more]), limit).answer or {}
        if trial.get("error", "") in ("", *more):
            break
        more[trial["error"]] = Problem.read(trial["problems"][0])
    if not error and (not answer or outcome.status != 0):
        error, found = FAILED, [problems.explain_end(outcome, place, limit)]
    findings = [*answer.pop("warnings", ())]
    if more:
        findings.append(describe_finding(WITH_GPU, [*more.values()]))
    told = [
        render(f"warning: {each['headline']}", [*map(Problem.read, each["problems"])])
        for each in findings
    ]
    if error:
        told = [render(f"error: {error}", [*dict.fromkeys([*found, *more.values()])])]
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
