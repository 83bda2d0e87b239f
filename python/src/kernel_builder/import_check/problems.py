"""Decides whether an import worked, and shows the kernel's own lines where it did not."""

import re
import signal
import traceback
from collections.abc import Iterable
from dataclasses import dataclass
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
UNCAUGHT = "a library that is loaded without an exception"
DEFINE = "add the file that defines it to `src`, or correct its declaration"
AGREE = (
    "let the schema and the C++ function agree: number, types and order of arguments, and results"
)
SCHEMA = (
    "correct the schema: TYPE NAME, TYPE NAME -> TYPE with types such as Tensor, int, float, str"
)
CATCH = (
    "correct what the exception names, or catch it: code that runs when the library is loaded\n"
    "(registrations, initialisers of global variables) ends the process with an exception"
)
# The last words of the C++ library of gcc, or of clang, about an exception that nothing catches.
TERMINATE = re.compile(
    r"^terminate called after throwing an instance of '(?P<type>.+)'"
    r"(?:\n  what\(\):  (?P<what>[\s\S]*))?"
    r"|^libc\+\+abi: terminating due to uncaught exception of type "
    r"(?P<other>[^:\n]+(?:::[^:\n]+)*)(?:: (?P<text>[\s\S]*))?",
    re.MULTILINE,
)
# Torch names the line of a registration by the name that the compiler has for the file.
REGISTERED_AT = re.compile(r"^ *registered at ([^/\s]\S*:\d+)$", re.MULTILINE)
# Torch appends its C++ stack, whose addresses differ from run to run.
CPP_STACK = re.compile(r"\n(Exception raised from |frame #\d+: )[\s\S]*")
LINES_SHOWN = 15
# A line of Python's faulthandler.
STACK_LINE = re.compile(r'^  File "(.+)", line (\d+) in ', re.MULTILINE)


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
    texts: list[str] = []
    cause: BaseException | None = error
    while cause and len(texts) < LINES_SHOWN:
        text = "".join(traceback.format_exception_only(type(cause), cause))
        text = CPP_STACK.sub("", text).strip()
        # The folder in the store means nothing to an author.
        texts.append(text.replace(f"{place.folder}/", ""))
        cause = cause.__cause__
    found = "\ncaused by ".join(texts)
    fix = DEFINE if "undefined symbol: " in found else FIX
    if isinstance(error, FileNotFoundError) and place.has(str(error.filename)):
        name = Path(error.filename).relative_to(place.folder)
        fix = f"if {place.shown_as}/{name} is there, add {name.suffix[1:]!r} to pyext in build.toml"
    return Problem(place.show_frames(reversed(frames)), found, WANT, fix)


def find_problems(outcome: Outcome, place: Place, limit: float) -> "tuple[str, list[Problem]]":
    """Return the headline and the problems of an import that had `limit` seconds."""
    answer, status = outcome.answer, outcome.status
    if answer and "problems" in answer:
        headline = FOREIGN if answer["is_foreign"] else FAILED
        return headline, [Problem.read(each) for each in answer["problems"]]
    if answer and status == 0:
        return "", []
    when = "after the import" if answer else "during the import"
    at = place.show_frames((*line, "") for line in STACK_LINE.findall(outcome.stack))
    if status and status < 0 and (uncaught := TERMINATE.search(outcome.said)):
        return FAILED, [explain_uncaught(uncaught, at)]
    if outcome.sent and not answer:
        found = "bytes of the kernel in the file descriptor for the answer of the check"
    elif status is None:
        found = f"no end within {limit:g} s, {when}"
    else:
        name = f"signal {-status} ({signal.Signals(-status).name})" if status < 0 else ""
        found = f"the process ended with {name or f'status {status}'} {when}"
        last = CPP_STACK.sub("", outcome.said).strip().splitlines()[-LINES_SHOWN:]
        found = "\n".join([found, *(["the last lines that it printed:", *last] if last else [])])
    return FAILED, [Problem(at, found, WANT, FIX)]


def explain_uncaught(uncaught: "re.Match[str]", at: str) -> Problem:
    """Return the problem for a C++ exception that ended the process; `at` are lines of Python."""
    kind = uncaught["type"] or uncaught["other"]
    what = CPP_STACK.sub("", uncaught["what"] or uncaught["text"] or "").strip()
    at = "\n".join(dict.fromkeys([*REGISTERED_AT.findall(what), at]))
    fix = CATCH
    if "doesn't match the expected function schema" in what:
        fix = AGREE
    elif "<--- HERE" in what:
        fix = SCHEMA
    return Problem(at, f"{kind}: {what}" if what else kind, UNCAUGHT, fix)
