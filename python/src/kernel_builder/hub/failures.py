"""What an upload or a download meets: whether it can go better, and how it is told if not.

Messages have a way out and no secrets.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any, Final

import httpx2
from huggingface_hub.errors import OfflineModeIsEnabled
from huggingface_hub.utils import parse_ratelimit_headers

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
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

LOGIN: Final = "`hf auth login`, or the variable HF_TOKEN"
AGAIN: Final = "run it again: what has arrived stays"


def no_token() -> KernelBuilderError:
    """Return the error of a machine that is not logged in."""
    fix = f"make one in the settings of your account and give it to {LOGIN}"
    want = "a token that may write to the repository"
    problem = Problem("the Hub's token", "none", want, fix)
    return KernelBuilderError("nothing can be uploaded without a token", [problem])


def _status_of(error: BaseException) -> int:
    """Return the HTTP status of an error, 0 if the Hub has not answered at all."""
    status = getattr(getattr(error, "response", None), "status_code", 0)
    return status if isinstance(status, int) else 0


def _cause_of(error: Exception) -> Exception:
    """Return what went wrong with a large file; the library wraps it."""
    inner = error.__cause__
    return inner if isinstance(error, RuntimeError) and isinstance(inner, Exception) else error


def is_conflict(error: Exception) -> bool:
    """Say whether a commit was refused because the branch is no longer where it was."""
    return _status_of(error) in CONFLICT


def may_go_better(error: Exception, tried: int) -> bool:
    """Say whether to try again after so many failures in a row."""
    if is_conflict(error):
        return tried < CONFLICTS
    cause = _cause_of(error)
    status = _status_of(cause)
    transient = status in TRANSIENT or isinstance(cause, httpx2.TransportError)
    if cause is not error and status:
        # A large file that arrived damaged is refused as if it were our fault.
        transient = status not in FORBIDDEN
    return transient and tried < (
        TRIES_TO_CONNECT if isinstance(error, httpx2.ConnectError) else TRIES
    )


def pause(error: Exception, tried: int) -> None:
    """Wait before the next try: what the Hub asks for, else longer each time."""
    response = getattr(_cause_of(error), "response", None)
    asked = _asked_for(response.headers) if response is not None else None
    wait = min(asked if asked is not None else 0.5 * 2**tried, LONGEST_WAIT)
    if wait >= 1:
        limited = _status_of(_cause_of(error)) == 429
        why = "asks for patience" if limited else "does not answer as it should"
        say(f"the Hub {why}; going on in {wait:.0f} s")
    time.sleep(wait)


def _asked_for(headers: Mapping[str, str]) -> float | None:
    limit = parse_ratelimit_headers(headers)
    if limit is not None and limit.remaining == 0:
        return float(limit.reset_in_seconds) + 1.0
    stated = headers.get("retry-after", "").strip()
    return float(stated) + 0.5 if stated.isdigit() else None


def explain(
    error: Exception, repo_id: str, token: str | None, *, reading: bool = False
) -> KernelBuilderError | None:
    """Return an error of the Hub, the network or a file as the user's message.

    What is none of these is a defect of this program, and not to be called anything else.
    """
    if isinstance(error, KernelBuilderError):
        return error
    error = _cause_of(error)
    found = redact(_said_by(error), token)
    of_the_card = isinstance(error, ValueError) and "README.md" in found
    if not of_the_card and not isinstance(error, (OSError, httpx2.HTTPError)):
        return None
    at, want, fix = _answer(error, repo_id, "read" if reading else "write to")
    if isinstance(error, httpx2.TransportError):
        found = f"no answer ({found})"
    if of_the_card:
        at, want, fix = "CARD.md", "metadata that the Hub takes", "correct the template"
    what = f"the {'download from' if reading else 'upload to'} {repo_id}"
    return KernelBuilderError(f"{what} broke off", [Problem(at, found, want, fix)])


def _said_by(error: Exception) -> str:
    """Return the server's own words where there are some."""
    said = getattr(error, "server_message", None)
    status = _status_of(error)
    lines = [str(said)] if said else [line for line in str(error).splitlines() if line.strip()][:4]
    text = "\n".join(lines) or type(error).__name__
    return f"{status}: {text}" if status and str(status) not in text else text


def _answer(error: Any, repo_id: str, right: str) -> tuple[str, str, str]:
    """Return the place of an error, what was wanted there, and a way out."""
    owner = repo_id.split("/")[0]
    if isinstance(error, OfflineModeIsEnabled):
        return "HF_HUB_OFFLINE", "a way to the Hub", "unset HF_HUB_OFFLINE"
    if isinstance(error, httpx2.TransportError):
        fix = f"check the network, its proxy settings and HF_ENDPOINT, then {AGAIN}"
        return _address(error), "the Hub", fix
    answers = {
        401: ("the Hub's token", "a token that is valid", f"renew it and give it to {LOGIN}"),
        403: (
            repo_id,
            f"a token that may {right} {repo_id}",
            f"give the token that right, or ask {owner} for it"
            + ("" if right == "read" else ", or use --create-pr"),
        ),
        404: (
            repo_id,
            f"{repo_id}, or a user or organisation {owner} in which it may be made",
            "correct the repository's name (--repo-id, or hub.repo-id in build.toml)",
        ),
        429: (repo_id, "fewer requests", f"wait some minutes, then {AGAIN}"),
        500: (repo_id, "an answer", f"wait until the Hub is well, then {AGAIN}"),
    }
    other = (repo_id, "an answer without errors", AGAIN)
    return answers.get(min(_status_of(error), 500), other)


def _address(error: Any) -> str:
    try:
        return redact(str(error.request.url))
    except RuntimeError:
        return "the network"
