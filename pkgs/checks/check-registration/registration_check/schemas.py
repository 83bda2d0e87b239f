"""Finds strings of C++ that may be schemas or names of operators.

Torch does not say where a schema is that it cannot read, or which line of a block names an operator.
The import check shows the line that has the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

# A comment, a character, a raw string, or a string of one or more parts.
TOKEN = re.compile(
    r"\\.|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)|'(?:\\.|[^'\\\n])'"
    r'|R"([^()\s\\]{0,16})\((?P<raw>[\s\S]*?)(?:\)\1"|\Z)'
    r'|(?P<parts>"(?:\\.|[^"\\\n])*"(?:\s*"(?:\\.|[^"\\\n])*")*)'
)
PART = re.compile(r'"((?:\\.|[^"\\\n])*)"|\\.')
NAME = re.compile(r"\w+(?:\.\w+)?")


def list_schemas(sources: Mapping[str, Path]) -> dict[str, list[str]]:
    """Return the places, `FILE:LINE`, of each name and of each line of strings with a bracket."""
    found: dict[str, list[str]] = {}
    for name, file in sources.items():
        text = file.read_text(errors="replace")
        for match in TOKEN.finditer(text):
            first = text.count("\n", 0, match.start()) + 1
            joined = "".join(PART.findall(match["parts"])) if match["parts"] else match["raw"] or ""
            is_kept = "(" in joined or NAME.fullmatch(joined)
            for number, line in enumerate(joined.splitlines() if is_kept else (), first):
                found.setdefault(line.strip(), []).append(f"{name}:{number}")
    return found
