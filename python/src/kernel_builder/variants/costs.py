"""Time and memory of earlier steps: a cache of the user, never an input of a derivation."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import replace_text
from kernel_builder.nix.log import Span, short_name

# The names that are kept, the most recent ones: some megabytes.
MOST: Final = 20_000
# The parts of a step's name that differ between builds of one unit: Torch, toolkit, target.
_VARYING = re.compile(r"(?<=-torch)\d+(?=-)|(?<=-cu)\d+(?=-)|(?<=\.sm_)\d+[a-z]?$")


@dataclass(frozen=True)
class Cost:
    """The cost of a step: `seconds`, and its highest use of `memory` in bytes."""

    seconds: float
    memory: int


class Costs:
    """The cost of each step when it was last built here, by the step's name."""

    def __init__(self) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._file = Path(cache) / "kernel-builder" / "costs.json"
        self._parts = self._read()
        self._alike: dict[str, list[Cost]] = {}
        for name, parts in self._parts.items():
            self._alike.setdefault(_VARYING.sub("*", name), []).append(_sum_parts(parts))

    def _read(self) -> dict[str, list[Any]]:
        with suppress(OSError, ValueError):
            found = json.loads(self._file.read_bytes())
            return {name: [(str(p), float(s), int(m)) for p, s, m in found[name]] for name in found}
        return {}

    def list_parts(self, derivation: str) -> list[Any]:
        """Return the programs of a step: name, seconds, megabytes. Empty if the step is unknown."""
        return self._parts.get(short_name(derivation), [])

    def predict(self, derivation: str) -> Cost | None:
        """Return what a step took, or else the most for another Torch, toolkit or target."""
        if parts := self.list_parts(derivation):
            return _sum_parts(parts)
        alike = self._alike.get(_VARYING.sub("*", short_name(derivation)))
        if not alike:
            return None
        return Cost(max(each.seconds for each in alike), max(each.memory for each in alike))

    def save(self, spans: Mapping[str, Span]) -> None:
        """Add the steps that were built now to the file, which other processes write as well."""
        new = {short_name(path): span.parts for path, span in spans.items() if span.parts}
        if new:
            kept = {name: parts for name, parts in self._read().items() if name not in new}
            with suppress(OSError):
                self._file.parent.mkdir(parents=True, exist_ok=True)
                replace_text(self._file, json.dumps(dict([*kept.items(), *new.items()][-MOST:])))


def _sum_parts(parts: Iterable[Any]) -> Cost:
    """Return the sum of the seconds and the most memory: parts run one after another."""
    seconds, megabytes = zip(*((part[1], part[2]) for part in parts))
    return Cost(sum(seconds), max(megabytes) * 2**20)
