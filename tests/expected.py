"""Files with expected texts: a difference is a failure, and `--renew` writes them."""

import difflib
from pathlib import Path

import pytest


class Expected:
    """Compares texts with files of expected texts."""

    def __init__(self, config: pytest.Config) -> None:
        self.renew = bool(config.getoption("--renew"))

    def __call__(self, file: Path, text: str) -> None:
        """Fail if `text` differs from `file`; with `--renew`, write the file first."""
        if self.renew:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        held = file.read_text() if file.is_file() else ""
        if held != text:
            lines = difflib.unified_diff(
                held.splitlines(), text.splitlines(), str(file), "now", lineterm=""
            )
            changed = "\n".join(lines) or "the end of the last line differs"
            pytest.fail(
                f"{changed}\n\nif the change is intended, run this test with --renew", pytrace=False
            )
