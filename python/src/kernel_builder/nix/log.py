"""Reads Nix's internal JSON log: what is running, what is downloaded, who said what.

The numbers are Nix's own activity and result types; they have been the same since Nix 2.4.
"""

from __future__ import annotations

import json
import re
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from kernel_builder.messages.secrets import redact
from kernel_builder.nix.errors import COLOUR

ACTIVITY_COPY: Final = 100
ACTIVITY_TRANSFER: Final = 101
ACTIVITY_BUILDS: Final = 104
ACTIVITY_BUILD: Final = 105
ACTIVITY_SUBSTITUTE: Final = 108
RESULT_LOG_LINE: Final = 101
RESULT_PHASE: Final = 104
RESULT_PROGRESS: Final = 105
LEVEL_ERROR: Final = 0
LEVEL_WARNING: Final = 1
LINES_KEPT: Final = 400
LINES_SHOWN: Final = 25

_PREFIX: Final = "@nix "
# The linker's own complaints stand above this line of the compiler, so it does not count.
_COMPILER_ERROR = re.compile(r"^(?!collect2:)(.*[:;] )?(fatal )?error *: ")
# A trace of C++ calls, which hides the message of PyTorch's exceptions above it.
_FRAME = re.compile(r"^\s*frame #\d+: ")
_DERIVATION = re.compile(r"'(/nix/store/[^']+\.drv)'")
# That a builder failed is known; why is in its log. Newer versions repeat the end of that.
_ONLY_FAILED = re.compile(r"failed with exit code \d+")
# Of a derivation that could not even start.
_DEPENDENCY = re.compile(r"\bdependenc(?:y|ies)\b.* failed")
# The headline of a warning of our own builders; the lines below it are indented or empty.
_WARNING = re.compile(r"warning: (.+ \(\d+ problems?\))")
# What our builders say of each program: its name, what it took, and its memory at the most.
_PHASE = re.compile(r"(?P<part>.+): (?P<seconds>[\d.]+) s, (?P<megabytes>\d+) MB")
# Nix's closing line about all that was asked for, and what it repeats of a builder's log.
_SUMMARY: Final = "build of "
# That closing line does not say on which builder.
_IS_ELSEWHERE: Final = "' on '"
_REPETITION = re.compile(
    r"[;.]?\s*\n\s*(last \d+ log lines|output paths|for full logs)\b.*", re.IGNORECASE | re.DOTALL
)


@dataclass
class Transfer:
    """A download: bytes that have come, and all of them if that is known (else 0)."""

    url: str
    done: int = 0
    total: int = 0


@dataclass
class Span:
    """A build, or a download out of a binary cache: when, in seconds of a clock, and where.

    `where` is the cache, or the machine that built; it is empty if that was this one.
    `parts` are the programs of a build, each with its seconds and megabytes.
    """

    start: float
    stop: float | None = None
    where: str = ""
    parts: list[tuple[str, float, int]] = field(default_factory=list)
    # When its last program ended. Of a build that was asked for by name, Nix tells the end late.
    told: float | None = None


@dataclass
class NixLog:
    """The state of calls that build or download; `spans` has what was built or substituted."""

    on_log_line: Callable[[str, str], None] | None = None
    clock: Callable[[], float] = time.monotonic
    spans: dict[str, Span] = field(default_factory=dict)
    running: dict[int, str] = field(default_factory=dict)
    transfers: dict[int, Transfer] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    # What went from one store to another.
    copied: set[str] = field(default_factory=set)
    done: int = 0
    expected: int = 0
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _builds: int | None = None
    _open: dict[int, Span] = field(default_factory=dict)
    _logs: dict[str, deque[str]] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Take one line of the log."""
        if not line.startswith(_PREFIX):
            self._read_plain(COLOUR.sub("", line).strip())
            return
        try:
            event = json.loads(line[len(_PREFIX) :])
        except ValueError:
            return
        action = event.get("action")
        if action == "start":
            self._start(event)
        elif action == "stop":
            self.running.pop(event.get("id"), None)
            if span := self._open.pop(event.get("id"), None):
                span.stop = span.told or self.clock()
            self.transfers.pop(event.get("id"), None)
        elif action == "result":
            self._result(event)
        elif action == "msg":
            text = COLOUR.sub("", event.get("raw_msg") or event.get("msg", ""))
            if event.get("level") == LEVEL_ERROR:
                self.errors.append(text)
            elif event.get("level") == LEVEL_WARNING:
                self.warnings.append(text)

    def _read_plain(self, line: str) -> None:
        """Take a line of one of Nix's programs that do not know the format, as some of today."""
        for mark, texts in (("error: ", self.errors), ("warning: ", self.warnings)):
            if line.startswith(mark):
                texts.append(line[len(mark) :])

    def _start(self, event: Any) -> None:
        if event.get("type") == ACTIVITY_BUILDS and not event.get("parent"):
            self._builds = event["id"]
        elif event.get("type") == ACTIVITY_BUILD:
            derivation, *where = event["fields"]
            self.running[event["id"]] = derivation
            if self._span(event["id"], derivation, *where[:1]):
                self.started.append(derivation)
        elif event.get("type") == ACTIVITY_SUBSTITUTE:
            self._span(event["id"], *event["fields"][:2])
        elif event.get("type") == ACTIVITY_COPY:
            self.copied.add(event["fields"][0])
        elif event.get("type") == ACTIVITY_TRANSFER:
            self.transfers[event["id"]] = Transfer(event["fields"][0])

    def _span(self, activity: int, path: str, where: str = "") -> bool:
        """Say whether it is new: a remote builder tells of the same build once more."""
        span = self.spans.get(path)
        is_new = span is None or span.stop is not None
        if span is None or is_new:
            span = self.spans[path] = Span(self.clock(), where=redact(where))
        self._open[activity] = span
        return is_new

    def _result(self, event: Any) -> None:
        fields = event.get("fields", [])
        if event.get("type") == RESULT_LOG_LINE and event["id"] in self.running:
            derivation = self.running[event["id"]]
            self._logs.setdefault(derivation, deque(maxlen=LINES_KEPT)).append(fields[0])
            if self.on_log_line:
                self.on_log_line(derivation, fields[0])
        elif event.get("type") == RESULT_PHASE and event["id"] in self._open:
            if phase := _PHASE.fullmatch(str(fields[0])):
                cost = phase["part"], float(phase["seconds"]), int(phase["megabytes"])
                self._open[event["id"]].parts.append(cost)
                self._open[event["id"]].told = self.clock()
        elif event.get("type") == RESULT_PROGRESS and event["id"] == self._builds:
            self.done, self.expected = fields[0], fields[1]
        elif event.get("type") == RESULT_PROGRESS and event["id"] in self.transfers:
            transfer = self.transfers[event["id"]]
            transfer.done, transfer.total = fields[0], fields[1]

    def take_lost(self) -> list[str]:
        """Return the builders that went away in the middle of a build, and forget it.

        Of a failure they would have told. Nix says no more of them than that the build failed.
        """
        told = "".join(error for error in self.errors if _IS_ELSEWHERE in error)
        lost = {each: self.spans[each].where for each in self.blamed & self.spans.keys()}
        lost = {each: where for each, where in lost.items() if where and each not in told}
        self.errors = [error for error in self.errors if not any(each in error for each in lost)]
        if lost:
            # Nobody says that these have ended.
            self.running.clear()
        return sorted(set(lost.values()))

    def list_builder_warnings(self) -> list[str]:
        """Return the warnings that builders printed, each once and without its prefix."""
        found: list[str] = []
        for lines in self._logs.values():
            is_open = False
            for line in (COLOUR.sub("", each) for each in lines):
                if headline := _WARNING.fullmatch(line):
                    found.append(headline[1])
                    is_open = True
                elif is_open and (not line or line.startswith(" ")):
                    found[-1] += f"\n{line}"
                else:
                    is_open = False
        return list(dict.fromkeys(each.rstrip() for each in found))

    @property
    def blamed(self) -> set[str]:
        """The derivations that Nix names in its errors, started or not."""
        own = [error for error in self.errors if not _DEPENDENCY.search(error)]
        return {name for error in own for name in _DERIVATION.findall(error)[:1]}

    def show_failure(self, derivation: str) -> list[str]:
        """Return the lines of a derivation's log that tell why it failed.

        A compiler's first error is what counts; it is often far above the last line. What Nix
        says comes after it: a build may end well and yet not be what was promised.
        """
        said = self._show_log(derivation)
        reasons = [
            each for each in self._reasons(derivation) if not (said and _ONLY_FAILED.search(each))
        ]
        return [*said, *(line for each in reasons for line in each.splitlines())]

    def _reasons(self, derivation: str) -> list[str]:
        """Return why Nix gave a derivation up, without what its builder said."""
        named = [
            _REPETITION.sub("", each)
            for each in self.errors
            if derivation in each and not _is_summary(each) and not _DEPENDENCY.search(each)
        ]
        return list(dict.fromkeys(named))

    def _show_log(self, derivation: str) -> list[str]:
        lines = [COLOUR.sub("", line) for line in self._logs.get(derivation, ())]
        lines = [line for line in lines if not _FRAME.match(line)]
        first = next((n for n, line in enumerate(lines) if _COMPILER_ERROR.search(line)), None)
        if first is None:
            return lines[-LINES_SHOWN:]
        # One line before the error says in which function or which include it is.
        return lines[max(0, first - 1) :][:LINES_SHOWN]


def _is_summary(error: str) -> bool:
    return error.startswith(_SUMMARY) and _IS_ELSEWHERE not in error


def short_name(derivation: str) -> str:
    """Return a derivation's name without store, hash and ending."""
    return derivation.rsplit("/", 1)[-1][33:].removesuffix(".drv")
