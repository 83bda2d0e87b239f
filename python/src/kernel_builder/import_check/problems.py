"""Explains why an import failed, and shows the kernel's own lines where it did."""

import json
import re
import signal
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from kernel_builder.import_check.child import MEMORY, Outcome
from kernel_builder.messages.problem import Problem

FAILED = "the kernel cannot be imported"
WANT = "an import that works on every machine, also without GPU and network, and then ends"
FIX = (
    "use a GPU in functions only, import own files by `from . import NAME`, `git add` new files,\n"
    "name packages in `python-depends`, or read docs/troubleshooting/import-check.md;\n"
    "`doGetKernelCheck = false` in flake.nix builds without this check"
)
UNCAUGHT = "a library that is loaded without an exception"
CATCH = (
    "correct what the exception names, or catch it: code that runs when the library is loaded\n"
    "(registrations, initialisers of global variables) ends the process with an exception"
)
# Words of an exception, and the fix for it.
FIXES: "dict[str, str]" = json.loads(Path(__file__).with_name("fixes.json").read_text())
# The last words of the C++ library of gcc, or of clang, about an exception that nothing catches.
TERMINATE = re.compile(
    r"^(?:terminate called after throwing an instance of '(.+)'(?:\n  what\(\):)?"
    r"|libc\+\+abi: terminating due to uncaught exception of type )([\s\S]*)",
    re.MULTILINE,
)
# Torch names the line of a registration by the name that the compiler has for the file.
# It may name two in one line.
REGISTERED_AT = re.compile(
    r"registered at ([^/\n](?:(?!registered at )[^\n])*?:\d+)(?: ::.*)?$", re.MULTILINE
)
# Torch appends its C++ stack, whose addresses differ from run to run; faulthandler prints another.
STACK = re.compile(r"^(Exception raised|frame #\d+:|Fatal Python error|Timeout \()[\s\S]*", re.M)
# The line of a schema at which Torch stops to read. It marks no place after the end.
UNREADABLE = re.compile(r"^(.+)\n[ ~]*<--- HERE|\bfound 'eof' here:\n(.+)", re.MULTILINE)
LINES_SHOWN = 15
# A line of Python's faulthandler.
STACK_LINE = re.compile(r'^  File "(.+)", line (\d+) in (.*)()$', re.MULTILINE)


@dataclass(frozen=True)
class Place:
    """The folder of a variant, and the kernel's folder that its Python files come from."""

    folder: Path
    shown_as: str

    def has(self, file: str) -> bool:
        """Return whether a path is below the folder of the variant."""
        return Path(file).is_relative_to(self.folder)

    def show_frames(self, frames: "Iterable[Iterable[Any]]") -> str:
        """Return a line for each frame (file, line, name, code) in the variant, else the folder."""
        lines = []
        for file, line, _, code in frames:
            # Authors cannot edit the generated file.
            if self.has(file) and Path(file).name != "_ops.py":
                text = f": {code}" if code else ""
                lines.append(f"{self.shown_as}/{Path(file).relative_to(self.folder)}:{line}{text}")
        return "\n".join(dict.fromkeys(lines or [self.shown_as]))

    def show_registered(self, written: str) -> str:
        """Return the place of a registration that Torch names: C++ has no folder."""
        file, _, line = written.rpartition(":")
        return self.show_frames([(file, line, "", "")]) if file.startswith("/") else written


def explain_error(error: BaseException, place: Place) -> Problem:
    """Return the problem for an exception that the import raised."""
    at = place.show_frames(reversed(traceback.extract_tb(error.__traceback__)))
    # The client adds a note with the path in the store.
    vars(error).pop("__notes__", None)
    texts: list[str] = []
    cause: BaseException | None = error
    while cause and len(texts) < LINES_SHOWN:
        text = "".join(traceback.format_exception_only(type(cause), cause))
        texts.append(STACK.sub("", text).strip())
        cause = cause.__cause__
    # The folder in the store means nothing to an author.
    found = "\ncaused by ".join(texts).replace(f"{place.folder}/", "")
    fix = find_fix(found, FIX)
    if isinstance(error, FileNotFoundError) and place.has(str(error.filename)):
        name = Path(error.filename).relative_to(place.folder)
        kept = f"`git add` it, and name {name.suffix[1:]!r} in pyext"
        fix = f"if {place.shown_as}/{name} is there, {kept} of build.toml"
    return Problem(at, found, WANT, fix)


def show_schema(problem: Problem, file: "str | None") -> Problem:
    """Return the problem of a schema that Torch cannot read with the lines that have its text.

    `file` has places by texts of C++, as the registration check writes them. Torch names none.
    """
    match = UNREADABLE.search(problem.found)
    if not match or not file:
        return problem
    line, texts = (match[1] or match[2]).strip(), json.loads(Path(file).read_text())
    # The text may be a part of a string, such as one with the namespace.
    places = texts.get(line) or [at for text in texts if line in text for at in texts[text]]
    return replace(problem, at="\n".join([*dict.fromkeys(places), problem.at]))


def find_lost(error: BaseException, place: Place) -> str:
    """Return the module or variable that a line of the kernel names, and that nobody has."""
    file = traceback.extract_tb(error.__traceback__)[-1].filename
    is_certain = isinstance(error, (ImportError, NameError)) and place.has(file)
    return str(getattr(error, "name", "") or "") if is_certain else ""


def find_fix(found: str, otherwise: str) -> str:
    """Return the fix for the text of an exception."""
    return next((fix for words, fix in FIXES.items() if words in found), otherwise)


def explain_end(outcome: Outcome, place: Place, limit: float) -> Problem:
    """Return the problem for an import that did not end as it should within `limit` seconds."""
    code = outcome.status
    at = place.show_frames(STACK_LINE.findall(outcome.said))
    said = STACK.sub("", outcome.said).strip()
    if code and code < 0 and (uncaught := TERMINATE.search(said)):
        found = ": ".join(text.strip() for text in uncaught.groups("") if text.strip())
        at = "\n".join(dict.fromkeys([*REGISTERED_AT.findall(found), at]))
        return Problem(at, found, UNCAUGHT, find_fix(found, CATCH))
    when = "after the import" if outcome.answer else "during the import"
    if outcome.took_memory:
        found = f"more than {MEMORY >> 30} GiB of memory, of all its processes, {when}"
        return Problem(at, found, WANT, FIX)
    if code is None:
        found = f"no end within {limit:g} s, {when}"
        return Problem(at, found, WANT, find_fix(found, FIX))
    end = f"status {code}" if code >= 0 else f"signal {-code} ({signal.Signals(-code).name})"
    last = ["the last lines that it printed:", *said.splitlines()[-LINES_SHOWN:]] if said else []
    found = f"the process ended with {end} {when}"
    return Problem(at, "\n".join([found, *last]), WANT, find_fix(found, FIX))
