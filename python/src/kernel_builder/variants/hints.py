"""Chooses the advice for a failed step. hints.toml has it by the words of compilers and linkers."""

import re
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("hints.toml")


def find_fix(text: str) -> str:
    """Return the advice for the messages of a step that is not a check."""
    import tomllib

    for hint in tomllib.loads(_FILE.read_text(encoding="utf-8"))["hint"]:
        if any(re.search(pattern, text, re.MULTILINE) for pattern in hint["patterns"]):
            return str(hint["fix"])
    return "correct the cause"
