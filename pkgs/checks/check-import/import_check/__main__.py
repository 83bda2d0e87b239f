"""The check as a program: `python3 -m import_check --backend BACKEND … FOLDER`; the result is written to `$out`."""

import argparse
import json
import os
import shutil
import sys
from pathlib import Path

from checking.problem import tell

from import_check.advice import Place
from import_check.child import run_in_child
from import_check.loading import load
from import_check.operator_names import find_misspelled
from import_check.verdict import judge


def main(arguments: "list[str]") -> int:
    """Import the variant in a folder and return the exit status."""
    parser = argparse.ArgumentParser(prog="import_check", description=__doc__)
    parser.add_argument("--backend", required=True)
    parser.add_argument("--shown-as", required=True, help="the kernel's folder in messages")
    parser.add_argument("--local-kernels", default="", help="LOCAL_KERNELS of the import")
    parser.add_argument("--stubs-of", action="append", default=[], help="a package with stubs of a driver")
    parser.add_argument("--limit", type=float, required=True, help="seconds that the import may take")
    parser.add_argument("--source", action="append", default=[], help="NAME=FILE of C++ code")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args(arguments)
    place = Place(options.folder, options.shown_as)
    sources = dict(source.split("=", 1) for source in options.source)
    outcome = run_in_child(
        lambda: load(place, options.backend, options.local_kernels, options.stubs_of, list(sources)), options.limit
    )
    if judge(outcome, place, options.limit) or outcome.answer is None:
        return 1
    operators = outcome.answer["operators"]
    misspelled = find_misspelled(place.folder, place.shown_as, operators, list(sources.values()))
    if misspelled:
        return tell("the kernel calls operators that it does not have", misspelled)
    write_result(Path(os.environ["out"]), operators)
    print(f"imported {outcome.answer['name']}: {outcome.answer['names']} names, {len(operators)} operators")
    return 0


def write_result(out: Path, operators: "list[str]") -> None:
    """Write the schemas to a new folder: the kernel may have written to `out`."""
    if out.is_dir() and not out.is_symlink():
        shutil.rmtree(out)
    else:
        out.unlink(missing_ok=True)
    out.mkdir()
    (out / "operators.json").write_text(json.dumps(operators))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
