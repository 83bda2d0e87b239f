"""Run the import check: `python3 -m kernel_builder.import_check --backend BACKEND … FOLDER`.

The schemas of the variant's operators are written to `$out/operators.json`.
"""

import argparse
import json
import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from kernel_builder.import_check.advice import Place
from kernel_builder.import_check.child import run_in_child
from kernel_builder.import_check.loading import load_variant
from kernel_builder.import_check.operator_names import find_misspelled
from kernel_builder.import_check.verdict import find_problems
from kernel_builder.messages.problem import Problem, render

MISSPELLED = "the kernel calls operators that it does not have"


def main(arguments: Sequence[str]) -> int:
    """Import the variant in a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="import_check", description=__doc__)
    parser.add_argument("--backend", required=True)
    parser.add_argument("--device", type=Path, help="JSON that describes a GPU of the backend")
    parser.add_argument("--shown-as", required=True, help="the kernel's folder in messages")
    parser.add_argument("--local-kernels", default="", help="LOCAL_KERNELS of the import")
    parser.add_argument(
        "--stubs-of", action="append", default=[], help="a package with driver stubs"
    )
    parser.add_argument("--limit", type=float, required=True, help="seconds the import may take")
    parser.add_argument("--source", action="append", default=[], help="NAME=FILE of C++ code")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    place = Place(options.folder, options.shown_as)
    sources = dict(source.split("=", 1) for source in options.source)

    def load() -> "dict[str, object]":
        return load_variant(
            place,
            options.backend,
            json.loads(options.device.read_text()) if options.device else None,
            options.local_kernels,
            options.stubs_of,
            list(sources),
        )

    outcome = run_in_child(load, options.limit)
    headline, problems = find_problems(outcome, place, options.limit)
    if problems or outcome.answer is None:
        return _report(headline, problems)
    operators = outcome.answer["operators"]
    files = list(sources.values())
    if misspelled := find_misspelled(place.folder, place.shown_as, operators, files):
        return _report(MISSPELLED, misspelled)
    _write_result(Path(os.environ["out"]), operators)  # noqa: SIM112
    name, names = outcome.answer["name"], outcome.answer["names"]
    print(f"imported {name}: {names} names, {len(operators)} operators")
    return 0


def _report(headline: str, problems: Sequence[Problem]) -> int:
    sys.stdout.flush()
    print(render(f"error: {headline}", problems), file=sys.stderr)
    return 1


def _write_result(out: Path, operators: Sequence[str]) -> None:
    """Write the schemas to a new folder, since the kernel may have written to `out`."""
    if out.is_dir() and not out.is_symlink():
        shutil.rmtree(out)
    else:
        out.unlink(missing_ok=True)
    out.mkdir()
    (out / "operators.json").write_text(json.dumps(operators))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
