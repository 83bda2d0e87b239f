"""Errors for users: a headline and its problems, each with its place and a way out."""

import errno
import re
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Final

from kernel_builder.messages.problem import FIELDS as FIELDS
from kernel_builder.messages.problem import INDENT as INDENT
from kernel_builder.messages.problem import Problem as Problem
from kernel_builder.messages.problem import render as render

# The variable that shows the traceback of an error.
DEBUG: Final = "KERNEL_BUILDER_DEBUG"
# The number of existing names that are listed.
NAMES_SHOWN: Final = 12


def _match_field(name: str) -> str:
    # Further lines of a value are blank or aligned with its first line. Empty fields have no line.
    return rf"(?:(?:\n\1)?{name:<7}(.*(?:\n(?:\1 {{7}}.*)?(?=\n|\Z))*))?"


_PROBLEM: Final = re.compile("^( *)" + "".join(map(_match_field, FIELDS)), re.MULTILINE)
_ERROR: Final = re.compile(r"^error: ", re.MULTILINE)


def parse_problems(text: str) -> list[Problem]:
    """Return the problems in a message, as `render` and `lib/messages/check.nix` write them."""
    return [
        Problem(*(each.replace(f"\n{margin}{INDENT}", "\n").rstrip("\n") for each in values))
        for margin, *values in _PROBLEM.findall(text)
        if any(values)
    ]


class KernelBuilderError(Exception):
    """An error with a way out; `problems` say what is wrong, and what to do about it."""

    exit_code: ClassVar[int] = 1

    def __init__(self, headline: str, problems: Sequence[Problem] = ()) -> None:
        # Paths in it may have lines, which must not look like other messages.
        super().__init__(render(re.sub(r"\n(?=\S)", f"\n{INDENT}", headline), problems))
        self.headline = headline
        self.problems = tuple(problems)

    def as_data(self) -> list[dict[str, Any]]:
        """Return the problems as JSON has them: at least one."""
        problems = self.problems or [Problem("", self.headline, "", "")]
        return [each.as_data() for each in problems]


class UsageError(KernelBuilderError):
    """The command line asks for something that does not exist."""

    exit_code = 2


def read_error(text: str, headline: str) -> KernelBuilderError:
    """Return the error that another program printed; `headline` is used if it has none."""
    # The word may also stand in the middle of what a program says.
    found = _ERROR.search(text)
    text = text[found.end() :].strip() if found else text.strip()
    problems = parse_problems(text)
    first = text.split("\n", 1)[0]
    known = first.rpartition(" (")[0] if problems else text
    return KernelBuilderError(known or headline, problems)


def describe_error(error: Exception) -> KernelBuilderError:
    """Return any exception as an error with a way out."""
    if isinstance(error, KernelBuilderError):
        return error
    at, found = "kernel-builder", str(error) or type(error).__name__
    if isinstance(error, ModuleNotFoundError):
        headline = f"the Python package {error.name} is missing"
        want = "the packages that python/pyproject.toml lists"
        fix = "in a checkout of kernel-builder: ./install.sh, or pip install ./python"
    elif isinstance(error, OSError):
        at, found = str(error.filename or at), error.strerror or found
        headline = f"{error.filename or 'this machine'}: {found}"
        want = "a file that you may read, or a place that you may write to"
        fix = "correct the path or its permissions, or name another file or folder"
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            want, fix = "a disk with room", "free some space, and run this again"
    elif isinstance(error, (UnicodeDecodeError, MemoryError, RecursionError)):
        headline = "the input cannot be read"
        want, fix = "text in UTF-8 of an ordinary size", "look for a damaged or very large file"
    else:
        headline, want = f"internal error: {type(error).__name__}", "a program without this error"
        fix = f"run it again with {DEBUG}=1 and report the traceback"
    return KernelBuilderError(headline, [Problem(at, found, want, fix)])


def shorten(names: Sequence[str], shown: int = NAMES_SHOWN) -> list[str]:
    """Return the first names, and the number of the others as the last item."""
    rest = len(names) - shown
    return [*names[:shown], *([f"and {rest} more"] if rest > 0 else [])]


def find_unknown(option: str, words: Iterable[str], known: Sequence[str]) -> list[Problem]:
    """Return a problem for each word of an option that names nothing, with the nearest name."""
    import difflib

    problems = []
    for name in words:
        if name not in known:
            # "gpu" is as near to several names.
            near = difflib.get_close_matches(name.lower(), known, n=3, cutoff=0.7)
            shown = shorten([f'"{each}"' for each in near or known], NAMES_SHOWN)
            rest = f" (of {len(known)})" if near and len(known) > len(near) else ""
            want = f"one of {', '.join(shown)}{rest}" if known else "nothing"
            fix = f'did you mean "{near[0]}"?' if near else "choose one that there is"
            problems.append(Problem(option, f'"{name}"', want, fix))
    return problems
