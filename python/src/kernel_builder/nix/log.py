"""Reads Nix's internal JSON log: what is running, what is downloaded, and which errors came.

The numbers are Nix's own activity and result types; they have been the same since Nix 2.4.
"""

import json
import re
import signal
import time
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final

from kernel_builder.messages.secrets import redact
from kernel_builder.nix.errors import COLOUR
from kernel_builder.nix.step_log import StepLog

ACTIVITY_COPY: Final = 100
ACTIVITY_TRANSFER: Final = 101
ACTIVITY_BUILDS: Final = 104
ACTIVITY_BUILD: Final = 105
ACTIVITY_SUBSTITUTE: Final = 108
RESULT_LOG_LINE: Final = 101
RESULT_PHASE: Final = 104
RESULT_PROGRESS: Final = 105

_DERIVATION = re.compile(r"'(/nix/store/[^']+\.drv)'")
# Another derivation failed: the reason is with that one.
_NO_CAUSE = re.compile(r"\bdependenc(?:y|ies)\b.* failed|^build of .* failed$")
# The words of Nix for a builder that a signal ended; a shell ends with 128 and its number.
_SIGNAL = re.compile(r"failed (?:due to signal (\d+)|with exit code (1[2-9]\d))")
# The phase that a step prints for each program, with its highest use of memory.
_PHASE = re.compile(r"(?P<part>.+): (?P<seconds>\d{1,9}\.?\d{0,9}) s, (?P<megabytes>\d{1,9}) MB")


@dataclass
class Span:
    """A build, or a download out of a binary cache.

    `start` and `stop` are seconds of a clock. A build stops with its last program, or when it is
    found in the store: Nix reports the end of one that was asked for by name when all have ended.
    `where` is the cache, or the machine that built;
    empty means this one. `parts` are the programs of a build, each with its seconds and megabytes.
    """

    start: float
    stop: float | None = None
    where: str = ""
    parts: list[tuple[str, float, int]] = field(default_factory=list)


@dataclass
class NixLog:
    """The state of calls that build or download.

    `spans` has what was built (by derivation) or substituted (by path), `transfers` the bytes of
    each download that runs, arrived and in all (0 if unknown), `copied` the paths that went from
    one store to another.
    """

    on_log_line: Callable[[str, str], None] | None = None
    clock: Callable[[], float] = time.monotonic
    spans: dict[str, Span] = field(default_factory=dict)
    transfers: dict[int, tuple[int, int]] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    copied: set[str] = field(default_factory=set)
    done: int = 0
    ended: int = 0
    errors: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    _builds: int | None = None
    # The paths of spans by the numbers of their activities.
    _open: dict[int, str] = field(default_factory=dict)
    _logs: dict[str, StepLog] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Take one line of the log; lines of a builder that only look like Nix's have no effect."""
        mark, _, text = line.partition(" ")
        if mark == "error:":
            # Nix ended before its log began.
            self.errors.append(text)
        with suppress(AttributeError, LookupError, RecursionError, TypeError, ValueError):
            self._take(json.loads(text) if mark == "@nix" else {})

    def _take(self, event: dict[str, Any]) -> None:
        action, number = event.get("action"), event.get("id", 0)
        if action == "start":
            self._start(event, number)
        elif action == "stop":
            self.transfers.pop(number, None)
            if path := self._open.pop(number, None):
                span = self.spans[path]
                span.stop = span.stop or self.clock()
        elif action == "result":
            self._take_result(event.get("type", 0), number, event.get("fields", []))
        elif action == "msg":
            text = COLOUR.sub("", event.get("raw_msg") or event.get("msg", ""))
            {0: self.errors, 1: self.warnings}.get(event.get("level", 2), []).append(text)

    def _start(self, event: Any, number: int) -> None:
        kind, fields = event.get("type"), event.get("fields", [])
        if kind == ACTIVITY_BUILDS and not event.get("parent"):
            self._builds = number
        elif kind in (ACTIVITY_BUILD, ACTIVITY_SUBSTITUTE):
            path, where = fields[:2]
            # A remote builder reports the same start again.
            if path not in self._open.values():
                self.spans[path] = Span(self.clock(), where=redact(where))
                if kind == ACTIVITY_BUILD:
                    self.started.append(path)
            self._open[number] = path
        elif kind == ACTIVITY_COPY:
            self.copied.add(fields[0])
        elif kind == ACTIVITY_TRANSFER:
            self.transfers[number] = 0, 0

    def _take_result(self, kind: int, number: int, fields: list[Any]) -> None:
        path = self._open.get(number)
        if path and kind == RESULT_LOG_LINE:
            self._logs.setdefault(path, StepLog()).add(COLOUR.sub("", fields[0]))
            if self.on_log_line:
                self.on_log_line(path, fields[0])
        elif path and kind == RESULT_PHASE:
            if phase := _PHASE.fullmatch(str(fields[0])):
                span, megabytes = self.spans[path], int(phase["megabytes"])
                span.parts.append((phase["part"], float(phase["seconds"]), megabytes))
                span.stop = self.clock()
        elif kind == RESULT_PROGRESS and number == self._builds:
            self.done, self.ended = int(fields[0]), int(fields[0]) + int(fields[3])
        elif kind == RESULT_PROGRESS and number in self.transfers:
            self.transfers[number] = int(fields[0]), int(fields[1])

    @property
    def running(self) -> list[str]:
        """The derivations that are being built."""
        return [path for path in dict.fromkeys(self._open.values()) if path.endswith(".drv")]

    def close(self, derivations: Collection[str]) -> None:
        """Take the word of another that some builds have ended, before Nix reports it."""
        for number in [each for each, path in self._open.items() if path in derivations]:
            span = self.spans[self._open.pop(number)]
            span.stop = span.stop or self.clock()

    def list_warnings(self, derivations: Iterable[str]) -> list[str]:
        """Return the warnings that steps printed which failed, so that they have no outputs."""
        logs = [self._logs.get(each, StepLog()) for each in derivations]
        return list(dict.fromkeys(text for log in logs for text in log.list_warnings()))

    def _list_causes(self) -> list[str]:
        return [each for each in dict.fromkeys(self.errors) if not _NO_CAUSE.search(each)]

    @property
    def blamed(self) -> set[str]:
        """The derivations that Nix names in its errors, started or not."""
        return {name for error in self._list_causes() for name in _DERIVATION.findall(error)[:1]}

    def show_failure(self, derivation: str, *, is_own: bool = True) -> list[str]:
        """Return the lines that tell why a derivation failed.

        The signal that ended it comes first, then its log, then what Nix adds to it. Nix may refuse
        a build that ended well.
        """
        log = self._logs.get(derivation, StepLog())
        killed, shown = [], log.show_cause(is_own=is_own)
        for error in [each for each in self._list_causes() if derivation in each]:
            if said := _describe_signal(error):
                killed.append(said)
            elif not (log.last and "failed with exit code" in error):
                shown += error.splitlines()
        return [*dict.fromkeys(killed), *shown]


def _describe_signal(error: str) -> str:
    """Return the signal that ended a builder for people; empty if none did."""
    found = _SIGNAL.search(error)
    number = int(found[1] or int(found[2]) - 128) if found else 0
    if number not in set(signal.Signals):
        return ""
    memory = "; perhaps out of memory" if number == signal.SIGKILL else ""
    return f"killed: signal {number} ({signal.Signals(number).name}){memory}"


def short_name(derivation: str) -> str:
    """Return a derivation's name without store, hash and ending."""
    return derivation.rsplit("/", 1)[-1][33:].removesuffix(".drv")
