"""Reads what a draft lacks of its project, for `check-config`."""

import json
from pathlib import Path
from typing import Final

from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.names import show

FILE: Final = "porting.json"


def find_lost(folder: Path) -> list[Problem]:
    """Return the parts of a project that its draft in a folder lacks still."""
    try:
        entries = json.loads(read_file(folder / FILE))
        found = [(show(each["at"]), show(each["found"])) for each in entries]
    except FileNotFoundError:
        return []
    except (ValueError, TypeError, KeyError):
        found = [(FILE, "no list of what the draft lacks")]
    fix = f"port it, or decide that the kernel needs it not; then delete its line in {FILE}"
    return [Problem(at, what, "a kernel with all of its project", fix) for at, what in found]
