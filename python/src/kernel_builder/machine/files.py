"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import shutil
from pathlib import Path


def replace_text(file: Path, text: str) -> None:
    """Write a file so that it is there at every moment, old or new, whole.

    What is no file, such as a pipe or a terminal, is written to.
    """
    if file.exists() and not file.is_file():
        file.write_text(text, encoding="utf-8")
        return
    target = file.resolve()
    beside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        beside.write_bytes(text.encode())
        if target.exists():
            shutil.copymode(target, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)
