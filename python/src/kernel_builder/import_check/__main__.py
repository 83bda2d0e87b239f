"""Run the import check: `python3 -m kernel_builder.import_check OPTIONS FOLDER`.

OPTIONS are JSON: the folder's name in messages, `shown_as`; the seconds that the import may take,
`limit`; and the keywords of `load_variant`. `$out/operators.json` gets the schemas of the variant's
operators, and the names of those without code for the backend, as `metadata.json` states them.
LOCAL_KERNELS has the kernels that this one loads.
"""

import ctypes
import gc
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from kernel_builder.import_check import operators, stand_ins
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.problems import FAILED, Place, explain_end, explain_error
from kernel_builder.messages.problem import render

FOREIGN = (
    "operators would be shared with other builds: "
    "their names do not come from add_op_namespace_prefix"
)
UNREGISTERED = "the kernel calls operators that it does not have"
UNIMPLEMENTED = "operators have no implementation for the backend of this variant"


def load_variant(
    place: Place,
    backend: str,
    device: "Mapping[str, Any] | None" = None,
    dispatch_key: "str | None" = None,
    stubs_of: Sequence[str] = (),
    sources: Sequence[str] = (),
    calls: "str | None" = None,
) -> "dict[str, Any]":
    """Import the variant; return facts of its operators and a `warning`, or the `error` alone.

    `device` describes the GPU to stand in for; `dispatch_key` is Torch's for the backend; packages
    of `stubs_of` may have driver stubs in `lib/stubs`; `sources` are the names of the C++ files;
    `calls` is the file that the registration check writes.
    """
    # The collector would free little and take a third of the time of an import.
    gc.disable()
    here = str(Path.cwd())
    os.environ.update(HF_HUB_OFFLINE="1", HF_HOME=here, HOME=here)

    import torch
    from kernels import get_local_kernel  # reads the variables above when it is imported

    # The loader finds a library by its name if the process has already loaded it.
    for package in stubs_of:
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    if device:
        stand_ins.install(device)
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    in_python, raised = operators.watch_registrations(place, namespace), []
    try:
        kernel = get_local_kernel(place.folder, backend=backend)
        # A kernel may import it later, or never.
        ops = import_module(f"{kernel.__name__}._ops").ops
    except BaseException as error:
        raised = [explain_error(error, place)]
    in_cpp, lacking = operators.check_registered(namespace, sources, dispatch_key)
    foreign = [*dict.fromkeys(in_python + in_cpp)]
    if foreign or raised:
        return {"error": render(f"error: {FOREIGN if foreign else FAILED}", foreign + raised)}
    schemas = (str(schema).partition("::") for schema in torch._C._jit_get_all_schemas())
    own = sorted(name for space, _, name in schemas if space == namespace)
    called = json.loads(Path(calls).read_text()) if calls else {}
    if unknown := operators.find_unregistered(called, ops, own):
        return {"error": render(f"error: {UNREGISTERED}", unknown)}
    has, key = torch._C._dispatch_has_computed_kernel_for_dispatch_key, dispatch_key
    names = (schema.partition("(")[0] for schema in own)
    without = key and [name for name in names if not has(f"{namespace}::{name}", key)]
    warning = lacking and render(f"warning: {UNIMPLEMENTED}", lacking)
    return {"operators": own, "operators-without-code": without, "warning": warning}


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    options, folder = json.loads(arguments[0]), Path(arguments[1])
    place, limit = Place(folder, options.pop("shown_as")), options.pop("limit")
    outcome = run_in_child(partial(load_variant, place, **options), limit)
    answer = outcome.answer or {}
    error = answer.get("error", "")
    if not error and (not answer or outcome.status != 0):
        error = render(f"error: {FAILED}", [explain_end(outcome, place, limit)])
    for text in (outcome.said.rstrip("\n"), error or answer.pop("warning")):
        print(text, end="\n" if text else "", file=sys.stderr)
    if error:
        return 1
    # The kernel may have written to the folder.
    out = Path(os.environ["out"])  # noqa: SIM112
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (out / "operators.json").write_text(json.dumps(answer))
    print(f"imported {place.shown_as}: {len(answer['operators'])} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
