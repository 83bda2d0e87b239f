"""What binary caches have: it comes before sources are looked for, and before anything is built.

A cache is never the reason that a build fails. Where one is down or says what is not so, Nix takes
nothing from it, people are told, and the rest is built.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import Problem, render
from kernel_builder.messages.progress import Progress
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.log import NixLog, Span
from kernel_builder.settings import current_settings

# Nix's words, older and newer.
_UNTRUSTED: Final = re.compile(r"substitute for '[^']+' from '([^']+)'.* not signed by any")
# An address, or what Nix calls the file of a cache that describes a path.
_OF_CACHE: Final = re.compile(r"://|NAR info file")
_RETRIES: Final = re.compile(r"; retrying in \d+ ms$")
SHOWN: Final = 3


def fetch_cached(derivations: Sequence[str]) -> dict[str, Span]:
    """Fetch what caches have of derivations; return what came, with when and from where."""
    if current_settings().offline:
        return {}
    log, progress = NixLog(), Progress()

    def read(line: str) -> bool:
        log.read(line)
        if log.spans:
            progress.show(f"from binary caches: {len(log.spans)} paths")
        return True

    try:
        nix.substitute(derivations, read)
    finally:
        progress.close()
    lost = nix.find_invalid(log.spans)
    broken = [f"{log.spans[path].where} lists {path}, and has something else" for path in lost]
    if problems := describe_complaints([*log.warnings, *log.errors], broken):
        headline = "not everything could be had from a binary cache, the rest is built"
        complain("warning", render(headline, problems))
    return {path: span for path, span in log.spans.items() if path not in lost}


def describe_complaints(said: Iterable[str], broken: Iterable[str] = ()) -> list[Problem]:
    """Return what is wrong with caches by all that Nix said, or else by what is `broken`."""
    said = list(dict.fromkeys(said))
    untrusted = Counter(found[1] for each in said for found in _UNTRUSTED.finditer(each))
    firsts = [each.removeprefix("error: ").splitlines()[0] for each in said if each.strip()]
    others = [
        each
        for each in firsts
        if _OF_CACHE.search(each) and not _UNTRUSTED.search(each) and not _RETRIES.search(each)
    ]
    others = list(dict.fromkeys(others)) or sorted(broken)
    problems = [
        Problem(
            at=cache,
            found=f"{count} paths that none of the keys in trusted-public-keys has signed",
            want="paths that are signed with a key which this machine trusts",
            fix="add the cache's public key to trusted-public-keys in nix.conf; if there is none, "
            "push with ?secret-key=FILE (docs/machines.md)",
        )
        for cache, count in untrusted.items()
    ]
    if others:
        more = len(others) - SHOWN
        shown = [*others[:SHOWN], *([f"and {more} more"] if more > 0 else [])]
        problems.append(
            Problem(
                at="substituters",
                found="\n".join(shown),
                want="caches that can be reached and have what they list",
                fix="repair the cache, push again, or leave it out: --option substituters ''",
            )
        )
    return problems
