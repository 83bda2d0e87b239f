"""Finds the lines of a kernel that write to its own folder while it is imported.

The sandbox has the folder read-only; Python tells of each attempt, also of one that is caught.
"""

import linecache
import os
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

WRITTEN = "the import writes to the folder of the kernel"
WANT = "an import that leaves it as it is: users share it, and may not be able to write there"
FIX = "write in a function, to a folder for caches of the user (XDG_CACHE_HOME) or a temporary one"
# Python's events about files, and how many of their arguments are paths.
CHANGES = {"os.mkdir": 1, "os.rename": 2, "os.remove": 1}
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


class Writes:
    """The attempts to write below the folder of a variant, from now on."""

    def __init__(self, place: Place) -> None:
        self.place, self.found = place, dict[str, Problem]()
        sys.addaudithook(self._hear)

    def describe(self) -> "tuple[str, list[Problem]]":
        """Return a problem for each file that was written."""
        return WRITTEN, [*self.found.values()]

    def _hear(self, event: str, arguments: "tuple[Any, ...]") -> None:
        count = CHANGES.get(event, 0)
        # The mode is in the flags, also where Python was given one.
        if event == "open" and isinstance(arguments[2], int) and arguments[2] & WRITING:
            count = 1
        paths = [each for each in arguments[:count] if not isinstance(each, int)]
        # `resolve` would follow links, and so leave a folder in the store.
        for path in [os.path.abspath(os.fsdecode(each)) for each in paths]:  # noqa: PTH100
            # Python itself writes bytecode.
            if self.place.has(path) and "__pycache__" not in Path(path).parts:
                name = Path(path).relative_to(self.place.folder)
                found = Problem(self._show(sys._getframe(1)), f"{name} is written", WANT, FIX)
                self.found.setdefault(path, found)

    def _show(self, frame: "FrameType | None") -> str:
        walked = [(each.f_code.co_filename, line) for each, line in traceback.walk_stack(frame)]
        lines = [(*each, "", linecache.getline(*each).strip()) for each in walked]
        return self.place.show_frames(lines)
