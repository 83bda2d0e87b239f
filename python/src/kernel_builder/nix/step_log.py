"""Keeps the lines of one step's log that a message may show, however long the log is.

The first error of a compiler is often far above the last line, and hundreds of warnings may stand
around it. A check writes its problems itself; other programs may have printed errors before.
"""

import re
from collections import deque
from dataclasses import dataclass, field
from typing import Final

LINES_KEPT: Final = 400
LINES_SHOWN: Final = 25
# Lines of all problems and warnings of kernel-builder's own steps.
OWN_LINES_KEPT: Final = 5000

# Errors of compilers and linkers. `collect2: error` stands below the linker's own words.
_ERROR = re.compile(
    r"^(?!collect2:)(.*[:;] )?((fatal|catastrophic) )?error( #[\w-]+)? *: "
    r"|^(nvcc|ptxas|nvlink|fatbinary) (error|fatal) *: "
    r"|: (undefined reference to|multiple definition of) "
)
_WARNING = re.compile(
    r"^(\S.*(:\d+|\)|[\w+]): )?warning( #[\w-]+)?: |^(nvcc|ptxas|nvlink|fatbinary) warning *: "
)
_NOTE = re.compile(r"^(\S.*: )?(note|remark): |^Remark: ")
# gcc names an include and a function once, above the first message about it.
_INCLUDE = re.compile(r"^In file included from |^ +from \S+:\d+")
_SCOPE = re.compile(r": In | At global scope:$|: in function |:   required (from|by) ")
# A trace of C++ calls, which hides the message of PyTorch's exceptions above it.
_FRAME = re.compile(r"^\s*frame #\d+: ")
# The problems of a step; the other lines of the message are indented or empty.
_OWN = re.compile(r"^(error|warning): .+ \(\d+ problems?\)$")


@dataclass
class StepLog:
    """The last lines, those from the first error on, and the messages of kernel-builder."""

    last: deque[str] = field(default_factory=lambda: deque(maxlen=LINES_KEPT))
    _from_error: list[str] = field(default_factory=list)
    _own: list[list[str]] = field(default_factory=list)
    _is_own: bool = False
    # Lines since the beginning of a compiler's warning; 0 outside of one.
    _of_warning: int = 0
    _before: str = ""

    def add(self, line: str) -> None:
        """Take one line, without colours."""
        if _FRAME.match(line):
            return
        self.last.append(line)
        self._add_own(line)
        if self._is_of_warning(line):
            return
        if self._from_error:
            if len(self._from_error) < LINES_KEPT:
                self._from_error.append(line)
        elif _ERROR.search(line):
            # The line before the error may say in which function or which include it is.
            self._from_error = [*filter(None, (self._before, line))]
        self._before = line if _SCOPE.search(line) or _INCLUDE.match(line) else ""

    def _add_own(self, line: str) -> None:
        if _OWN.match(line):
            self._own.append([])
            self._is_own = True
        elif line and not line.startswith(" "):
            self._is_own = False
        if self._is_own and sum(map(len, self._own)) < OWN_LINES_KEPT:
            self._own[-1].append(line)

    def _is_of_warning(self, line: str) -> bool:
        """Return whether a line belongs to a compiler's warning, and forget its includes."""
        if _WARNING.match(line) and not _OWN.match(line):
            self._of_warning = 1
            if not _SCOPE.search(self._before):
                self._before = ""
            while self._from_error and _INCLUDE.match(self._from_error[-1]):
                self._from_error.pop()
        elif self._of_warning and self._continues_warning(line):
            self._of_warning += 1
        else:
            self._of_warning = 0
        return self._of_warning > 0

    def _continues_warning(self, line: str) -> bool:
        if _ERROR.search(line) or _INCLUDE.match(line) or _SCOPE.search(line):
            return False
        # clang repeats the source's line as it is, right below the warning.
        is_source = self._of_warning == 1 and not re.match(r"\S+:\d+", line)
        return not line.strip() or line[0].isspace() or bool(_NOTE.match(line)) or is_source

    def list_warnings(self) -> list[str]:
        """Return the warnings of the step itself, without their prefix."""
        texts = ["\n".join(lines).rstrip() for lines in self._own if lines]
        return [text.removeprefix("warning: ") for text in texts if text.startswith("warning: ")]

    def show_cause(self, *, is_own: bool = True) -> list[str]:
        """Return the problems that the step wrote, else its first error, else its last lines.

        A step whose messages are not its own (`is_own`) has no problems.
        """
        problems = [it for it in self._own if is_own and it and it[0].startswith("error: ")]
        first_error, end = self._from_error[:LINES_SHOWN], list(self.last)[-LINES_SHOWN:]
        return [line for lines in problems for line in lines] or first_error or end
