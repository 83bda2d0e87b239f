"""Run one check of `listed-checks/checks.json` on a variant: `check-folder CHECK FOLDER ARGUMENT VARIANT`.

`check-folder --list` prints the names of the checks. ARGUMENT is the newest stable ABI of Torch that `abi` allows, or
"", and the bytes of published variants as JSON for `facts`. VARIANT is the variant's name, which is a stranger's text.
"""

import json
import os
import runpy
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE / "programs"


def fill(word: str, values: "dict[str, str]") -> "list[str]":
    """Return the arguments that a word of the list stands for; none if only a build knows its value."""
    if word == "@symbols@":
        return [each for path in sorted(HERE.glob("symbols/*")) for each in ("--symbols", str(path))]
    if word == "@compiled@":
        return []
    name = word.rpartition("=")[2]
    return [word[: len(word) - len(name)] + values.get(name, name)]


def main(arguments: "list[str]") -> int:
    """Run a check, which ends the process, or list the checks."""
    rows = {row["name"]: row for row in json.loads((PROGRAMS / "listed-checks/checks.json").read_text())}
    if arguments == ["--list"]:
        print(*rows, sep="\n")
        return 0
    check, folder, argument, variant = arguments
    if check not in rows:
        print(f"check-folder: no such check: {check}", file=sys.stderr)
        return 2
    row = rows[check]
    values = {"@variant@": variant, "@argument@": argument, "@byName@": str(HERE / "by_name.py")}
    words = [each for word in row["arguments"] for each in fill(word, values)]
    module = row.get("module", f"{check}_check")
    os.environ["KERNEL_CHECK_FACTS"] = str(HERE / "facts.json")
    folders = (PROGRAMS / row.get("package", "listed-checks"), PROGRAMS / "run-check", HERE / "modules")
    sys.path[:0] = map(str, folders)
    sys.argv = [module, *words, folder]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
