"""Run the import check: `python3 -m kernel_builder.import_check --backend BACKEND … FOLDER`.

The schemas of the variant's operators are written to `$out/operators.json`.
"""

import argparse
import json
import os
import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.loading import load_variant
from kernel_builder.import_check.operators import describe_unimplemented, find_unregistered
from kernel_builder.import_check.problems import Place, find_problems
from kernel_builder.messages.problem import render


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="import_check", description=__doc__)
    parser.add_argument("--backend", required=True)
    parser.add_argument("--device", type=Path, help="JSON that describes a GPU of the backend")
    parser.add_argument("--shown-as", required=True, help="the kernel's folder in messages")
    parser.add_argument("--local-kernels", default="", help="LOCAL_KERNELS of the import")
    parser.add_argument("--stubs-of", action="append", default=[], help="a package with stubs")
    parser.add_argument("--limit", type=float, required=True, help="seconds the import may take")
    parser.add_argument(
        "--source", nargs=2, action="append", default=[], metavar=("NAME", "FILE"), help="C++ code"
    )
    parser.add_argument("--dispatch-key", help="Torch's dispatch key for the backend")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    if options.local_kernels:
        os.environ["LOCAL_KERNELS"] = options.local_kernels
    place = Place(options.folder, options.shown_as)
    sources = dict(options.source)
    device = json.loads(options.device.read_text()) if options.device else None

    def load() -> "dict[str, object]":
        packages, key = options.stubs_of, options.dispatch_key
        return load_variant(place, options.backend, device, packages, list(sources), key)

    outcome = run_in_child(load, options.limit)
    headline, problems = find_problems(outcome, place, options.limit)
    answer = outcome.answer or {}
    if not problems:
        headline = "the kernel calls operators that it does not have"
        registered = sorted({re.split(r"[.(]", schema)[0] for schema in answer["operators"]})
        problems = find_unregistered(place, answer["missing"], registered, sources.values())
    sys.stdout.flush()
    if problems:
        print(render(f"error: {headline}", problems), file=sys.stderr)
        return 1
    if lacking := describe_unimplemented(answer["unimplemented"], options.dispatch_key):
        headline = "warning: operators have no implementation for the backend of this variant"
        print(render(headline, lacking), file=sys.stderr)
    # The kernel may have written to the folder.
    out = Path(os.environ["out"])  # noqa: SIM112
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir()
    (out / "operators.json").write_text(json.dumps(answer["operators"]))
    print(f"imported {place.shown_as}: {len(answer['operators'])} operators")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
