"""What steps took, for the next run: in the user's cache, and never in a derivation."""

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

# Names kept, those used last: some megabytes.
MOST: Final = 20_000
# What differs between builds of one unit: Torch, toolkit, target.
_OWN = re.compile(r"(?<=-torch)\d+(?=-)|(?<=-cu)\d+(?=-)|(?<=\.sm_)\d+[a-z]?$")


@dataclass(frozen=True)
class Cost:
    """What one step takes: seconds, and bytes of memory at the most."""

    seconds: float
    memory: int


class Costs:
    """What each step took when it was last built here, by its name."""

    def __init__(self) -> None:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        self._file = Path(cache) / "kernel-builder" / "costs.json"
        self._parts: dict[str, list[Any]] = self._read()
        self._alike: dict[str, Cost] = {}
        for name, parts in self._parts.items():
            cost, alike = _total(parts), _OWN.sub("*", name)
            other = self._alike.get(alike, cost)
            largest = Cost(max(cost.seconds, other.seconds), max(cost.memory, other.memory))
            self._alike[alike] = largest

    def _read(self) -> dict[str, list[Any]]:
        with suppress(OSError, ValueError):
            found = json.loads(self._file.read_bytes())
            return {name: [(str(p), float(s), int(m)) for p, s, m in found[name]] for name in found}
        return {}

    def parts_of(self, derivation: str) -> list[Any]:
        """Return each part of a step with its seconds and megabytes; none if that is not known."""
        return self._parts.get(short_name(derivation), [])

    def foretell(self, derivation: str) -> Cost | None:
        """Return what a step took, or else at the most for another Torch, toolkit or target."""
        if parts := self.parts_of(derivation):
            return _total(parts)
        return self._alike.get(_OWN.sub("*", short_name(derivation)))

    def keep(self, spans: Mapping[str, Span]) -> None:
        """Add what was built just now. Another process may have added something meanwhile."""
        new = {short_name(path): span.parts for path, span in spans.items() if span.parts}
        if not new:
            return
        kept = {name: parts for name, parts in self._read().items() if name not in new}
        kept.update(new)
        # A cache that cannot be written to is none.
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            replace_text(self._file, json.dumps(dict(list(kept.items())[-MOST:])))


def _total(parts: Iterable[Any]) -> Cost:
    """Return the sum of the seconds, and the most memory: parts run one after another."""
    kept = list(parts)
    megabytes = max((each[2] for each in kept), default=0)
    return Cost(sum(each[1] for each in kept), megabytes * 2**20)
