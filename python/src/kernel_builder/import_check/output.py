"""The lines that a child process prints, passed on as they arrive, without C++ stack frames."""

import re
import sys
from collections import deque
from itertools import takewhile

LINES_KEPT = 400
# Bytes. A longer line is passed on in pieces.
LONGEST_LINE = 1 << 16
# Characters. A kernel that prints without end would fill the disk with its log.
MOST_PASSED_ON = 8 << 20
# Torch appends lines with addresses in libraries to the text of an exception.
FRAME = re.compile(
    r"\s*frame #\d+: |Exception raised from .* \(most recent call first\):"
    r"|<omitting python frames>"
)
# C++ prints the text of the exception behind `terminate called …`; Torch's stack follows.
WHAT = re.compile(r"\s*what\(\):\s*(.*)")
# A line of Python's faulthandler.
AT = re.compile(r'^  File "(?P<file>.+)", line (?P<line>\d+) in ', re.MULTILINE)


def remove_frames(text: str) -> str:
    """Return the text of an exception without the C++ stack."""
    return "\n".join(line for line in text.splitlines() if not FRAME.match(line)).strip()


class Output:
    """The last lines that a process printed."""

    def __init__(self) -> None:
        self.lines: deque[str] = deque(maxlen=LINES_KEPT)
        self._rest = b""
        self._passed_on = 0

    def add(self, data: bytes) -> None:
        """Add bytes that were read; whole lines are passed on."""
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            self._pass_on(line)
        if len(self._rest) > LONGEST_LINE:
            self.end()

    def end(self) -> None:
        """Pass on the last line, which may lack its end."""
        if self._rest:
            self._pass_on(self._rest)
        self._rest = b""

    def _pass_on(self, data: bytes) -> None:
        line = data.decode(errors="replace")
        if FRAME.match(line):
            return
        self.lines.append(line)
        self._passed_on += len(line)
        if self._passed_on < MOST_PASSED_ON:
            print(line, file=sys.stderr)

    def find_what(self) -> str:
        """Return the text of the C++ exception that ended the process; empty if there is none."""
        lines = iter(self.lines)
        for line in lines:
            if found := WHAT.match(line):
                return "\n".join([found[1], *takewhile(str.strip, lines)])
        return ""


def find_frames(stack: str) -> "list[tuple[str, int, str]]":
    """Return the files and lines of a faulthandler stack, innermost first, each without code."""
    return [(found["file"], int(found["line"]), "") for found in AT.finditer(stack)]
