"""Files that hold what comes out: a difference is a failure, `--renew` writes them anew."""

from __future__ import annotations

import difflib
from pathlib import Path

import pytest


class Expected:
    """Compares texts with the files that hold them."""

    def __init__(self, config: pytest.Config) -> None:
        self.renew = bool(config.getoption("--renew"))

    def __call__(self, file: Path, text: str) -> None:
        """Fail where `text` is not what `file` holds; with `--renew` the file holds it now."""
        if self.renew:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        held = file.read_text() if file.is_file() else ""
        if held != text:
            lines = difflib.unified_diff(
                held.splitlines(), text.splitlines(), str(file), "now", lineterm=""
            )
            changed = "\n".join(lines) or "another end of the last line"
            pytest.fail(f"{changed}\n\nif that is meant: run this test with --renew", pytrace=False)
