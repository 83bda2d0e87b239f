"""Compares the words of a plan with the words of a command, one by one."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.derivation import Derivation


@dataclass
class Words:
    """Compares words of plans with words of commands."""

    # A placeholder is the same folder in all words.
    folders: dict[str, str] = field(default_factory=dict)

    def check(self, given: Sequence[str], *planned: Sequence[str]) -> None:
        """Fail unless a command has the planned words and no others."""
        words = [word for part in planned for word in part]
        filled = [
            self._fill(word, given[at] if at < len(given) else "") for at, word in enumerate(words)
        ]
        assert list(given) == filled

    def _fill(self, planned: str, given: str) -> str:
        """Return a planned word with folders, which are taken from a given word the first time."""
        parts = re.split(r"@([a-z_/0-9-]+)@", planned)
        names = parts[1::2]
        pattern = "".join(
            re.escape(part) if at % 2 == 0 else "(.+?)" for at, part in enumerate(parts)
        )
        found = re.fullmatch(pattern, given)
        for name, folder in zip(names, found.groups() if found else ()):
            self.folders.setdefault(name, folder)
        for at, name in enumerate(names):
            parts[2 * at + 1] = self.folders.get(name, f"@{name}@")
        return "".join(parts)


def flags_of(unit: dict[str, Any]) -> list[str]:
    """Return the flags that all commands of a unit have."""
    return [*unit["flags"], *unit["nameFlags"], *unit["buildFlags"]]


def place_of(step: Derivation) -> list[str]:
    """Return the words that end the command of a step."""
    return ["-c", step.env["source"], "-o", step.outputs["out"]]
