"""What the Hub and its library say, as messages with a way out, and without secrets."""

from __future__ import annotations

from typing import Any

import httpx2
from huggingface_hub import errors as hub

from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact

LOGIN = "`hf auth login`, or the variable HF_TOKEN"


def no_token() -> KernelBuilderError:
    """Return the error of a machine that is not logged in."""
    problem = Problem(
        at="the Hub's token",
        found="none",
        want="a token that may write to the repository",
        fix=f"make one in the settings of your account and give it to {LOGIN}",
    )
    return KernelBuilderError("nothing can be uploaded without a token", [problem])


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status of an error, if the Hub answered at all."""
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    return status if isinstance(status, int) else None


def cause_of(error: Exception) -> Exception:
    """Return what went wrong with a large file; the library wraps it."""
    inner = error.__cause__
    return inner if isinstance(error, RuntimeError) and isinstance(inner, Exception) else error


def explain(error: Exception, repo_id: str, token: str | None) -> KernelBuilderError | None:
    """Return an error of the Hub, the network or a file as the user's message.

    What is none of these is a defect of this program, and not to be called anything else.
    """
    if isinstance(error, KernelBuilderError):
        return error
    error = cause_of(error)
    found = redact(_said_by(error), token)
    of_the_card = isinstance(error, ValueError) and "README.md" in found
    if not of_the_card and not isinstance(error, (OSError, httpx2.HTTPError)):
        return None
    problem = _problem(error, repo_id, found)
    return KernelBuilderError(f"the upload to {repo_id} broke off", [problem])


def _said_by(error: Exception) -> str:
    """Return the server's own words where there are some."""
    said = getattr(error, "server_message", None)
    status = status_of(error)
    lines = [str(said)] if said else [line for line in str(error).splitlines() if line.strip()][:4]
    text = "\n".join(lines) or type(error).__name__
    return f"{status}: {text}" if status and str(status) not in text else text


def _problem(error: Exception, repo_id: str, found: str) -> Problem:
    owner = repo_id.split("/")[0]
    again = "run it again: what has arrived stays"
    status = status_of(error)
    if isinstance(error, hub.OfflineModeIsEnabled):
        fix = "unset HF_HUB_OFFLINE"
        return Problem("HF_HUB_OFFLINE", "it forbids the network", "a way to the Hub", fix)
    if isinstance(error, httpx2.TransportError):
        fix = f"check the network, its proxy settings and HF_ENDPOINT, then {again}"
        return Problem(_address(error), f"no answer ({found})", "the Hub", fix)
    if status == 401:
        want = "a token that is valid"
        return Problem("the Hub's token", found, want, f"renew it and give it to {LOGIN}")
    if status == 403:
        want = f"a token that may write to {repo_id}"
        fix = f"give the token the right to write, ask {owner} for it, or use --create-pr"
        return Problem(repo_id, found, want, fix)
    if isinstance(error, hub.RepositoryNotFoundError) or status == 404:
        want = f"{repo_id}, or a user or organisation {owner} in which it may be made"
        fix = "correct the repository's name (--repo-id, or hub.repo-id in build.toml)"
        return Problem(repo_id, found, want, fix)
    if status == 429:
        return Problem(repo_id, found, "fewer requests", f"wait some minutes, then {again}")
    if status and status >= 500:
        return Problem(repo_id, found, "an answer", f"wait until the Hub is well, then {again}")
    if isinstance(error, ValueError) and "README.md" in found:
        return Problem("CARD.md", found, "metadata that the Hub takes", "correct the template")
    return Problem(repo_id, found, "an upload without errors", again)


def _address(error: Any) -> str:
    try:
        return redact(str(error.request.url))
    except RuntimeError:
        return "the network"
