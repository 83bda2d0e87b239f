"""Fetches from binary caches what is there already."""

import re
from collections.abc import Sequence
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import shorten
from kernel_builder.messages.terminal import Progress, complain
from kernel_builder.nix.log import NixLog, Span
from kernel_builder.settings import current_settings

COMPLAINTS_SHOWN: Final = 3
# Messages about caches name an address. Nix repeats a message for each new attempt.
_OF_CACHE: Final = re.compile(r"(?!.*; retrying in \d+ ms$).*://.*")


def fetch_cached(derivations: Sequence[str]) -> dict[str, Span]:
    """Fetch what binary caches have of derivations; return the span of each path that came.

    A cache that is down, or lists what it does not have, is a warning: the rest is built.
    """
    # Without a cache, Nix would look at every derivation for nothing.
    if current_settings().offline or not nix.has_caches():
        return {}
    log, progress = NixLog(), Progress()

    def read(line: str) -> None:
        log.read(line)
        if log.spans:
            progress.show(f"from binary caches: {len(log.spans)} paths")

    try:
        nix.substitute(derivations, read)
    finally:
        progress.close()
    lost = nix.find_invalid(log.spans)
    broken = [f"{log.spans[path].where} lists {path}, but has something else" for path in lost]
    if found := list_complaints([*log.warnings, *log.errors]) or broken[:1]:
        complain("warning", "\n".join(["a binary cache failed, so more is built here:", *found]))
    return {path: span for path, span in log.spans.items() if path not in lost}


def list_complaints(messages: Sequence[str]) -> list[str]:
    """Return the first lines of those messages of Nix that are about caches."""
    firsts = dict.fromkeys(message.partition("\n")[0] for message in messages)
    return shorten(list(filter(_OF_CACHE.fullmatch, firsts)), COMPLAINTS_SHOWN)
