"""Decides whether an import worked, and shows the kernel's own lines where it did not."""

import re
import signal
import traceback
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from kernel_builder.import_check.child import Outcome
from kernel_builder.messages.problem import Problem

FAILED = "the kernel cannot be imported"
FOREIGN = (
    "operators would be shared with other builds: "
    "their names do not come from add_op_namespace_prefix"
)
WANT = "an import that needs no GPU and no network, and then ends"
FIX = (
    "use a GPU in functions only, import own files by `from . import NAME`, `git add` new files,\n"
    "name packages in `python-depends`, or read docs/troubleshooting/import-check.md;\n"
    "`doGetKernelCheck = false` in flake.nix builds without this check"
)
# A line of Python's faulthandler.
STACK_LINE = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)

IMPORT = re.compile(r"^from \.+_ops import\b.*\bops\b(?! as)", re.MULTILINE)
CALL = re.compile(r"\bops\.([A-Za-z]\w*)")
STRING = re.compile(r"[\"'](\w+)")


@dataclass(frozen=True)
class Place:
    """The folder of a variant, and the kernel's folder that its Python files come from."""

    folder: Path
    shown_as: str

    def has(self, file: str) -> bool:
        """Return whether a path is below the folder of the variant."""
        return Path(file).is_relative_to(self.folder)

    def show_frames(self, frames: "Iterable[tuple[str, Any, Any]]") -> str:
        """Return a line for each frame (file, line, code) in the variant, else the folder."""
        lines = []
        for file, line, code in frames:
            # Authors cannot edit the generated file.
            if self.has(file) and Path(file).name != "_ops.py":
                text = f": {code}" if code else ""
                lines.append(f"{self.shown_as}/{Path(file).relative_to(self.folder)}:{line}{text}")
        return "\n".join(dict.fromkeys(lines or [self.shown_as]))


def explain_error(error: BaseException, place: Place) -> Problem:
    """Return the problem for an exception that the import raised."""
    stack = traceback.extract_tb(error.__traceback__)
    frames = [(each.filename, each.lineno, each.line) for each in stack]
    if isinstance(error, SyntaxError) and error.filename:
        frames.append((error.filename, error.lineno, ""))
    # The client adds a note with the path in the store.
    vars(error).pop("__notes__", None)
    text = "".join(traceback.format_exception_only(type(error), error))
    # Torch appends its C++ stack, whose addresses differ from run to run.
    text = text.partition("\nException raised from ")[0].strip()
    fix = FIX
    if isinstance(error, FileNotFoundError) and place.has(str(error.filename)):
        name = Path(error.filename).relative_to(place.folder)
        fix = f"if {place.shown_as}/{name} is there, add {name.suffix[1:]!r} to pyext in build.toml"
    return Problem(place.show_frames(reversed(frames)), text, WANT, fix)


def find_problems(outcome: Outcome, place: Place, limit: float) -> "tuple[str, list[Problem]]":
    """Return the headline and the problems of an import that had `limit` seconds."""
    answer, status = outcome.answer, outcome.status
    if answer and "problems" in answer:
        headline = FOREIGN if answer["is_foreign"] else FAILED
        return headline, [Problem.read(each) for each in answer["problems"]]
    if answer and status == 0:
        return "", []
    when = "after the import" if answer else "during the import"
    if outcome.sent and not answer:
        found = "bytes of the kernel in the file descriptor for the answer of the check"
    elif status is None:
        found = f"no end within {limit:g} s, {when}"
    else:
        name = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else ""
        found = f"the process ended with {name or f'status {status}'} {when}"
    at = place.show_frames((*line, "") for line in STACK_LINE.findall(outcome.stack))
    return FAILED, [Problem(at, found, WANT, FIX)]


def find_misspelled(
    place: Place, operators: Sequence[str], sources: Sequence[str]
) -> "list[Problem]":
    """Return a problem for each call of an operator under a misspelled name.

    `operators` are schemas without their namespace, `sources` paths of the C++ files. An unknown
    name alone is no mistake: kernels have wrappers of operators that only another backend has. A
    name counts as misspelled if it is similar to an operator that no Python file calls, and is
    neither in C++ nor at the beginning of a string, as in `hasattr(ops, "name")`.
    """
    texts = {file: file.read_text() for file in sorted(place.folder.rglob("*.py"))}
    python = "\n".join(texts.values())
    cpp = "\n".join(Path(source).read_text(errors="replace") for source in sources)
    registered = {re.split(r"[.(]", schema)[0] for schema in operators}
    named = {*CALL.findall(python), *STRING.findall(python)}
    known = {*registered, *STRING.findall(python), *re.findall(r"\w+", cpp)}
    problems = []
    for file, text in texts.items():
        for number, line in enumerate(text.splitlines() if IMPORT.search(text) else [], 1):
            for name in CALL.findall(line):
                near = get_close_matches(name, sorted(registered - named), 1)
                if near and name not in known:
                    at = f"{place.shown_as}/{file.relative_to(place.folder)}:{number}"
                    found = f"ops.{name}, which neither C++ nor Python registers"
                    want = f"one of the kernel's operators: {', '.join(sorted(registered))}"
                    problems.append(Problem(at, found, want, f'did you mean "{near[0]}"?'))
    return problems
