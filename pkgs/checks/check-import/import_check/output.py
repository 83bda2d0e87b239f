"""The lines that a child process prints: passed on as they come, without C++ stack frames."""

import re
import sys
from collections import deque
from itertools import takewhile

LINES_KEPT = 400
# Bytes. A longer line is passed on in pieces.
LONGEST_LINE = 1 << 16
# Characters. The log of a kernel that prints without end would fill the disk.
MOST_PASSED_ON = 8 << 20
# Lines that Torch appends to the text of an exception: addresses in libraries, of no use to an author.
FRAME = re.compile(r"\s*frame #\d+: |Exception raised from .* \(most recent call first\):|<omitting python frames>")
# `terminate called …` of C++, and Torch's text up to the stack.
WHAT = re.compile(r"\s*what\(\):\s*(.*)")
# A line of Python's faulthandler.
AT = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+) in ', re.MULTILINE)


def without_frames(text: str) -> str:
    """Return the text of an exception without the C++ stack."""
    return "\n".join(line for line in text.splitlines() if not FRAME.match(line)).strip()


class Output:
    """The last lines that a process printed."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._rest = b""
        self._passed_on = 0

    def add(self, data: bytes) -> None:
        """Take what was read."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._say(line)
        if len(self._rest) > LONGEST_LINE:
            self.end()

    def end(self) -> None:
        """Take the last line, which may lack its end."""
        if self._rest:
            self._say(self._rest)
        self._rest = b""

    def _say(self, data: bytes) -> None:
        line = data.decode(errors="replace")
        if FRAME.match(line):
            return
        self.lines.append(line)
        self._passed_on += len(line)
        if self._passed_on < MOST_PASSED_ON:
            print(line, file=sys.stderr)

    def find_what(self) -> str:
        """Return the text of the C++ exception that ended the process; empty if there was none."""
        lines = iter(self.lines)
        for line in lines:
            if found := WHAT.match(line):
                return "\n".join([found[1], *takewhile(str.strip, lines)])
        return ""


def find_frames(stack: str) -> "list[tuple[str, int, str]]":
    """Return the files and lines of a stack of faulthandler, innermost first, each without its code."""
    return [(found["file"], int(found["line"]), "") for found in AT.finditer(stack)]
