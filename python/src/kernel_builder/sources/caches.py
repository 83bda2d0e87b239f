"""Fetch from binary caches, before any source is fetched and anything is built.

A cache is never the reason for a failed build. Where one is down or lists what it does not have,
Nix takes nothing from it, a warning says so, and the rest is built.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import Problem, render
from kernel_builder.messages.lists import shorten
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.log import NixLog, Span
from kernel_builder.settings import current_settings

# Messages about caches name an address, or the file of a cache that describes a path. Nix repeats
# a message for each new attempt.
_OF_CACHE: Final = re.compile(r"^(?!.*; retrying in \d+ ms$).*(://|NAR info file)")
MESSAGES_SHOWN: Final = 3


def fetch_cached(derivations: Sequence[str]) -> dict[str, Span]:
    """Fetch what caches have of derivations; return the span of each path that came."""
    if current_settings().offline:
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
    if problem := describe_complaints([*log.warnings, *log.errors], broken):
        complain("warning", render("a binary cache failed, so more is built here", [problem]))
    return {path: span for path, span in log.spans.items() if path not in lost}


def describe_complaints(messages: Sequence[str], broken: Sequence[str] = ()) -> Problem | None:
    """Return what is wrong with caches by the messages of Nix, or else by what is `broken`."""
    lines = [each.splitlines()[0] for each in messages if each.strip()]
    firsts = [re.sub("^(error|warning): ", "", line) for line in lines]
    found = list(dict.fromkeys(filter(_OF_CACHE.match, firsts))) or sorted(broken)
    if not found:
        return None
    return Problem(
        at="substituters",
        found="\n".join(shorten(found, MESSAGES_SHOWN)),
        want="caches that can be reached, have what they list, and sign it with a trusted key",
        fix="add the cache's public key to trusted-public-keys in nix.conf, push again with "
        "?secret-key=FILE (docs/machines.md), or leave it out: --option substituters ''",
    )
