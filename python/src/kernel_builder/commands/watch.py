"""`build --watch`: build a kernel again when one of its files changes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final, NoReturn

from kernel_builder.kernel.folder import find_kernel
from kernel_builder.messages.errors import KernelBuilderError, shorten
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import complain, say

# Seconds between two looks. Files that are saved together are seen as one change.
INTERVAL: Final = 0.5
NAMES_SHOWN: Final = 4
# Folders that commands write to. Hidden ones and virtual environments are passed over as well.
_WRITTEN: Final = ("__pycache__", "build", "build-ext")


def watch_kernels(
    folders: Sequence[Path], build: Callable[[], object], report: Path | None
) -> NoReturn:
    """Call `build`, which writes `report`, and again after each change, until Ctrl-C."""
    roots = [*map(find_kernel, folders)]
    written = report and report.resolve()

    def look() -> dict[Path, tuple[int, int]]:
        states = (each for root in roots for each in list_states(root).items())
        return {path: state for path, state in states if path != written}

    while True:
        # A file that is saved during a build starts the next one.
        before = look()
        try:
            build()
        except KernelBuilderError as error:
            complain("error", str(error))
        say(f"watching {', '.join(map(show, roots))} for changes; Ctrl-C ends")
        while (after := look()) == before:
            time.sleep(INTERVAL)
        time.sleep(INTERVAL)
        while after != (after := look()):
            time.sleep(INTERVAL)
        changed = sorted({path for path, _ in {*before.items()} ^ {*after.items()}})
        names = [show(os.path.relpath(path, os.path.commonpath(roots))) for path in changed]
        say(f"\nchanged: {', '.join(shorten(names, NAMES_SHOWN))}")


def list_states(root: Path) -> dict[Path, tuple[int, int]]:
    """Return the time of change and the size of each file of the kernel that is no link."""
    states = {}
    for place, folders, files in os.walk(root):
        own = [name for name in folders if name[0] != "." and name not in _WRITTEN]
        folders[:] = [name for name in own if not Path(place, name, "pyvenv.cfg").is_file()]
        # A build writes flake.lock and links to results.
        kept = (name for name in files if name[0] != "." and name[-1] != "~")
        for path in (Path(place, name) for name in kept if name != "flake.lock"):
            with suppress(OSError):
                status = path.lstat()
                if not path.is_symlink():
                    states[path] = status.st_mtime_ns, status.st_size
    return states
