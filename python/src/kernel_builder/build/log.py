"""Reads Nix's internal JSON log while it builds: what is running, what is left, who said what.

The numbers are Nix's own activity and result types; they have been the same since Nix 2.4.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

ACTIVITY_BUILDS: Final = 104
ACTIVITY_BUILD: Final = 105
RESULT_LOG_LINE: Final = 101
RESULT_PROGRESS: Final = 105
LINES_KEPT: Final = 400
LINES_SHOWN: Final = 25

_PREFIX: Final = "@nix "
# Colours, and the "erase to the end of the line" that gcc writes after each of them.
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
# Nix's closing line about all that was asked for, and what it repeats of a builder's log.
_SUMMARY: Final = "build of "
_REPETITION = re.compile(
    r"[;.]?\s*\n\s*(last \d+ log lines|output paths|for full logs)\b.*", re.IGNORECASE | re.DOTALL
)
# That a builder ended is no news to who reads its last lines.
_PLAIN_END = re.compile(r"failed with exit code \d+")
# The linker's own complaints stand above this line of the compiler, so it does not count.
_COMPILER_ERROR = re.compile(r"^(?!collect2:)(.*: )?(fatal )?error: ")


@dataclass
class BuildLog:
    """The state of one call of `nix-store --realise`."""

    on_log_line: Callable[[str, str], None] | None = None
    running: dict[int, str] = field(default_factory=dict)
    started: list[str] = field(default_factory=list)
    done: int = 0
    expected: int = 0
    errors: list[str] = field(default_factory=list)
    _builds: int | None = None
    _logs: dict[str, deque[str]] = field(default_factory=dict)

    def read(self, line: str) -> None:
        """Take one line of the log."""
        if not line.startswith(_PREFIX):
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
        elif action == "result":
            self._result(event)
        elif action == "msg" and event.get("level") == 0:
            self.errors.append(_COLOUR.sub("", event.get("raw_msg") or event.get("msg", "")))

    def _start(self, event: Any) -> None:
        if event.get("type") == ACTIVITY_BUILDS:
            self._builds = event["id"]
        elif event.get("type") == ACTIVITY_BUILD:
            derivation = event["fields"][0]
            self.running[event["id"]] = derivation
            self.started.append(derivation)

    def _result(self, event: Any) -> None:
        fields = event.get("fields", [])
        if event.get("type") == RESULT_LOG_LINE and event["id"] in self.running:
            derivation = self.running[event["id"]]
            self._logs.setdefault(derivation, deque(maxlen=LINES_KEPT)).append(fields[0])
            if self.on_log_line:
                self.on_log_line(derivation, fields[0])
        elif event.get("type") == RESULT_PROGRESS and event["id"] == self._builds:
            self.done, self.expected = fields[0], fields[1]

    def show_failure(self, derivation: str) -> list[str]:
        """Return the lines of a derivation's log that tell why it failed.

        A compiler's first error is what counts; it is often far above the last line. What Nix
        says comes after it: a build may end well and yet not be what was promised.
        """
        said = self._show_log(derivation)
        reasons = [each for each in self._reasons(derivation) if not (said and _plain(each))]
        return [*said, *(line for each in reasons for line in each.splitlines())]

    def _reasons(self, derivation: str) -> list[str]:
        """Return why Nix gave a derivation up, without what its builder said."""
        named = [
            _REPETITION.sub("", each)
            for each in self.errors
            if derivation in each and not each.startswith(_SUMMARY)
        ]
        return list(dict.fromkeys(named))

    def _show_log(self, derivation: str) -> list[str]:
        lines = [_COLOUR.sub("", line) for line in self._logs.get(derivation, ())]
        first = next((n for n, line in enumerate(lines) if _COMPILER_ERROR.search(line)), None)
        if first is None:
            return lines[-LINES_SHOWN:]
        # One line before the error says in which function or which include it is.
        return lines[max(0, first - 1) :][:LINES_SHOWN]


def _plain(reason: str) -> bool:
    return _PLAIN_END.search(reason) is not None


def short_name(derivation: str) -> str:
    """Return a derivation's name without store, hash and ending."""
    return derivation.rsplit("/", 1)[-1][33:].removesuffix(".drv")
