"""What can go better the next time, and how long to wait for that: as the Hub asks for."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Final

import httpx2
from huggingface_hub.utils import parse_ratelimit_headers

from kernel_builder.hub.explain import cause_of, status_of
from kernel_builder.messages.terminal import say

TRIES: Final = 6
# A machine without a network shall say so soon.
TRIES_TO_CONNECT: Final = 3
# Others may be uploading, too; each round that loses has let one of them win.
CONFLICTS: Final = 40
LONGEST_WAIT: Final = 300.0
# Beyond these, an answer is final.
TRANSIENT: Final = (408, 425, 429, 500, 502, 503, 504)
# Somebody else has changed the branch, or is about to.
CONFLICT: Final = (409, 412)
FORBIDDEN: Final = (401, 403)


def is_conflict(error: Exception) -> bool:
    """Say whether a commit was refused because the branch is no longer where it was."""
    return status_of(error) in CONFLICT


def is_transient(error: Exception) -> bool:
    """Say whether the same request may succeed later."""
    cause = cause_of(error)
    if cause is not error and status_of(cause) is not None:
        # A large file that arrived damaged is refused as if it were our fault.
        return status_of(cause) not in FORBIDDEN
    return status_of(cause) in TRANSIENT or isinstance(cause, httpx2.TransportError)


def may_go_better(error: Exception, tried: int) -> bool:
    """Say whether to try again after so many failures in a row."""
    if is_conflict(error):
        return tried < CONFLICTS
    limit = TRIES_TO_CONNECT if isinstance(error, httpx2.ConnectError) else TRIES
    return is_transient(error) and tried < limit


def pause(error: Exception, tried: int) -> None:
    """Wait before the next try: what the Hub asks for, else longer each time."""
    response = getattr(cause_of(error), "response", None)
    asked = _asked_for(response.headers) if response is not None else None
    wait = min(asked if asked is not None else 0.5 * 2**tried, LONGEST_WAIT)
    if wait >= 1:
        status = status_of(cause_of(error))
        why = "asks for patience" if status == 429 else "does not answer as it should"
        say(f"the Hub {why}; going on in {wait:.0f} s")
    time.sleep(wait)


def _asked_for(headers: Mapping[str, str]) -> float | None:
    limit = parse_ratelimit_headers(headers)
    if limit is not None and limit.remaining == 0:
        return float(limit.reset_in_seconds) + 1.0
    stated = headers.get("retry-after", "").strip()
    return float(stated) + 0.5 if stated.isdigit() else None
