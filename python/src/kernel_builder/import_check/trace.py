"""Finds the lines of a kernel that change the state of the process, by an import that is traced.

It runs where an import without a trace saw a change. Packages that the kernel imports are loaded
first, so that what they change themselves does not count.
"""

import linecache
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any

from kernel_builder.import_check import replaced, state
from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

CHANGED = "the import changes the process of its users"
WANT = "an import that leaves Torch, Python and the process as they are: all code shares them"
PUT_BACK = "delete it, or change a class or an object of the kernel's own"


class Watch:
    """The state before an import."""

    def __init__(self, place: Place) -> None:
        self.place, self.facts, self.snapshot = place, state.take(), replaced.Snapshot()
        self.lines: dict[str, str] = {}

    def list_changes(self, package: str) -> "dict[str, list[str]]":
        """Return how each fact changed since then, with its reader; replacements have none."""
        found = {name: [how, reader] for reader, name, how in state.compare(self.facts)}
        for name, *_ in self.snapshot.compare(self.place, package):
            found[name] = [f"{name} is replaced", ""]
        return found

    def list_modules(self, package: str) -> "list[str]":
        """Return the modules of others that were loaded since then, in their order."""
        return [
            name
            for name, module in sys.modules.items()
            if name not in self.snapshot.modules
            and name.partition(".")[0] != package
            and not self.place.has(getattr(module, "__file__", None) or "/")
        ]

    def describe(self, package: str) -> "list[Problem]":
        """Return a problem for each change since then."""
        changes: dict[tuple[str, str], list[str]] = {}
        for name, (how, reader) in self.list_changes(package).items():
            fix = state.READERS[reader][1] if reader else PUT_BACK
            changes.setdefault((self.lines.get(name, self.place.shown_as), fix), []).append(how)
        return [Problem(at, "\n".join(how), WANT, fix) for (at, fix), how in changes.items()]

    def trace(self, changed: "Mapping[str, Sequence[str]]") -> None:
        """Trace the lines of the kernel from now on, and keep those that change these facts."""
        names: dict[str, list[str]] = {}
        for name, (_, reader) in changed.items():
            names.setdefault(reader or name, []).append(name)
        readers = {key: self._find_reader(key) for key in names}
        values = {key: read() for key, read in readers.items()}
        last: list[Any] = [None, 0]

        def follow(frame: FrameType, event: str, _: Any) -> Any:
            for key, read in readers.items():
                now = read()
                for name in names[key]:
                    is_other = state.is_other(values[key].get(name), now.get(name))
                    if is_other and name not in self.lines:
                        self.lines[name] = self._show(*last)
            # The caller goes on in the line of its call.
            caller = frame.f_back if event == "return" else frame
            last[:] = [caller, caller.f_lineno if caller else 0]
            return follow

        def enter(frame: FrameType, event: str, argument: Any) -> Any:
            is_own = self.place.has(frame.f_code.co_filename)
            return follow(frame, event, argument) if is_own else None

        sys.settrace(enter)

    def _find_reader(self, key: str) -> "Callable[[], dict[str, Any]]":
        if key in state.READERS:
            return state.READERS[key][0]
        label, _, attribute = key.rpartition(".")
        holders = [sys.modules] if key.startswith("sys.modules[") else []
        holders += [holder for each, holder, _ in self.snapshot.holders.values() if each == label]
        name = key[len("sys.modules['") : -2] if holders[:1] == [sys.modules] else attribute
        return lambda: {key: [id(replaced.read(holder, name)) for holder in holders]}

    def _show(self, frame: "FrameType | None", line: int) -> str:
        frames = []
        while frame:
            file = frame.f_code.co_filename
            frames.append((file, line, "", linecache.getline(file, line).strip()))
            frame = frame.f_back
            line = frame.f_lineno if frame else 0
        return self.place.show_frames(frames)


def load_modules(modules: "Sequence[str]") -> None:
    """Import the modules of others that the kernel imports, in their order."""
    for name in modules:
        with suppress(Exception):
            import_module(name)
