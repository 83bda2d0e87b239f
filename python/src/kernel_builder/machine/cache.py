"""Keeps facts in the user's cache for some time; where nothing can be written, nothing is kept."""

import json
import os
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from kernel_builder.machine.files import read_file, write_below
from kernel_builder.messages.errors import KernelBuilderError


def recall(name: str, seconds: float) -> dict[str, tuple[float, Any]]:
    """Return what was kept under a name in the last seconds: by key, its age in seconds and it."""
    with suppress(OSError, ValueError, TypeError, AttributeError, KernelBuilderError):
        entries = json.loads(read_file(find_folder() / name)).items()
        ages = {key: (time.time() - kept, value) for key, (kept, value) in entries}
        return {key: each for key, each in ages.items() if 0 <= each[0] < seconds}
    return {}


def keep(name: str, facts: Mapping[str, Any], seconds: float) -> None:
    """Keep facts under a name beside those of the last seconds."""
    now = time.time()
    older = {key: (now - age, value) for key, (age, value) in recall(name, seconds).items()}
    text = json.dumps({**older, **{key: (now, value) for key, value in facts.items()}})
    with suppress(OSError, KernelBuilderError):
        find_folder().mkdir(parents=True, exist_ok=True)
        write_below(find_folder(), name, text.encode())


def find_folder() -> Path:
    """Return the folder of this program in the user's cache, which may be missing."""
    caches = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(caches, "kernel-builder").resolve()
