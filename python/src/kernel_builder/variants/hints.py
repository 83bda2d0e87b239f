"""Chooses the advice for a failed step. hints.toml has it by the words of compilers and linkers."""

import re
from pathlib import Path
from typing import Final

_FILE: Final = Path(__file__).with_name("hints.toml")
# Errors after the first ones mostly follow from them.
_SHOWN: Final = 3


def find_advice(text: str, flags: str = "") -> tuple[str, str]:
    """Return `want` and `fix` for the messages of a step with these flags; empty if none is known.

    Each line has the advice of the first entry that matches it; the first lines' is returned.
    """
    import tomllib

    found: dict[int, tuple[str, str]] = {}
    hints = tomllib.loads(_FILE.read_text(encoding="utf-8"))["hint"]
    for hint in (each for each in hints if re.search(each.get("flags", ""), flags)):
        for match in (
            m for each in hint["patterns"] for m in re.finditer(each, text, re.MULTILINE)
        ):
            line = text.count("\n", 0, match.start())
            found.setdefault(line, (match.expand(hint["want"]), match.expand(hint["fix"])))
    chosen = [found[line] for line in sorted(found)][:_SHOWN]
    wants, fixes = (dict.fromkeys(pair[part] for pair in chosen) for part in (0, 1))
    return "\n".join(wants), "\n".join(fixes)
