"""The Hub's library with this program's token, timeouts and messages."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
from huggingface_hub import HfApi, get_token
from huggingface_hub.errors import OfflineModeIsEnabled, RevisionNotFoundError
from huggingface_hub.utils import disable_progress_bars, get_session
from huggingface_hub.utils.sha import git_hash

from kernel_builder import __version__
from kernel_builder.machine.files import MAX_FILES, hash_file, read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import is_live, say

KERNEL: Final = "kernel"
# In seconds. The library itself waits for a silent server for ever.
TIMEOUT_VARIABLE: Final = "KERNEL_BUILDER_HUB_TIMEOUT"
SILENCE: Final = 180.0
LONGEST_WAIT: Final = 300.0
TRIES: Final = 6
# A commit is refused with these if the branch has moved. Each time another upload got ahead.
CONFLICT: Final = (409, 412)
CONFLICT_TRIES: Final = 40
TRANSIENT: Final = (408, 425, 429, 500, 502, 503, 504)
LOGIN: Final = "`hf auth login`, or the variable HF_TOKEN"
# One name in a path: no separator, no control character, and not the folder itself or above.
_SEGMENT: Final = re.compile(r"(?!\.{1,2}$)[^/\\\0-\x1f\x7f]{1,255}")

Result = TypeVar("Result")


def connect(*, may_write: bool) -> HfApi:
    """Return the library's client. Raises KernelBuilderError if writing lacks a token."""
    token = get_token()
    if may_write and not token:
        fix = f"make one in the settings of your account and give it to {LOGIN}"
        problem = Problem("the Hub's token", "none", "a token that may write", fix)
        raise KernelBuilderError("nothing can be uploaded without a token", [problem])
    for handler in logging.getLogger("huggingface_hub").handlers:
        handler.addFilter(_redact_record)
    if not is_live():
        disable_progress_bars()
    return HfApi(token=token or False, library_name="kernel-builder", library_version=__version__)


def retry(action: Callable[[], Result], repo_id: str, purpose: str) -> Result:
    """Return what `action` returns, started again after errors that may pass.

    `purpose` is `upload to` or `download from`. Raises KernelBuilderError for errors of the Hub,
    the network and files.
    """
    silence = float(os.environ.get(TIMEOUT_VARIABLE, SILENCE))
    failures = 0
    while True:
        # The library replaces its session after some errors.
        get_session().timeout = httpx2.Timeout(silence, connect=min(silence, 30.0))
        try:
            return action()
        except KernelBuilderError:
            raise
        except Exception as wrapped:
            # The library wraps errors of large files.
            cause = wrapped.__cause__ if isinstance(wrapped, RuntimeError) else None
            error = cause if isinstance(cause, Exception) else wrapped
            response = getattr(error, "response", None)
            status = response.status_code if response is not None else 0
            tries = CONFLICT_TRIES if status in CONFLICT else TRIES
            # A machine without a network shall say so soon.
            tries = tries // 2 if isinstance(error, httpx2.ConnectError) else tries
            # A large file that arrived damaged is refused like a wrong request.
            damaged = cause is not None and status not in (0, 401, 403)
            passes = damaged or status in (*CONFLICT, *TRANSIENT)
            failures += 1
            if failures == tries or not (passes or isinstance(error, httpx2.TransportError)):
                # Its traceback may show requests with secrets.
                raise _explain(error, status, repo_id, purpose) from None
            asked = response.headers.get("retry-after", "") if response is not None else ""
            wait = float(asked) + 0.5 if asked.isdigit() else 0.5 * 2 ** min(failures, 8)
            wait = min(wait, LONGEST_WAIT)
            say(f"the Hub does not answer as it should; going on in {wait:.0f} s")
            time.sleep(wait)


def find_commit(hub: HfApi, repo_id: str, revision: str) -> str | None:
    """Return the commit that a branch is at, None if there is no such branch."""
    try:
        return str(hub.kernel_info(repo_id, revision=revision).sha)
    except RevisionNotFoundError:
        return None


def list_remote(hub: HfApi, repo_id: str, commit: str) -> dict[str, Any]:
    """Return the library's RepoFile of each file by path.

    Raises KernelBuilderError for names that are no paths below the repository.
    """
    entries = hub.list_repo_tree(repo_id, recursive=True, revision=commit, repo_type=KERNEL)
    files = {entry.path: entry for entry in entries if hasattr(entry, "blob_id")}
    odd = [path for path in files if not all(map(_SEGMENT.fullmatch, path.split("/")))]
    if odd or len(files) > MAX_FILES:
        found = "\n".join(map(ascii, odd[:5])) or f"{len(files)} files"
        want = f"at most {MAX_FILES} names of files below the repository"
        problem = Problem(repo_id, found, want, "do not use it; report it to the Hub")
        raise KernelBuilderError(f"the Hub lists names in {repo_id} that are no files", [problem])
    return files


def is_same(file: Path, remote: Any) -> bool:
    """Return True if a file has the content of a RepoFile, which is None if there is none."""
    if remote is not None and remote.lfs:
        return bool(remote.lfs.sha256 == hash_file(file))
    return remote is not None and remote.blob_id == git_hash(read_file(file, max_bytes=2**30))


def _redact_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = redact(record.getMessage()), ()
    return True


def _explain(error: Exception, status: int, repo_id: str, purpose: str) -> Exception:
    """Return an error as a message for the user. Any other is a defect, and returned as it is."""
    found = redact(str(getattr(error, "server_message", None) or error).strip())
    owner = repo_id.split("/")[0]
    answers = {
        401: ("a token that is valid", f"renew it and give it to {LOGIN}"),
        403: (f"a token that may {purpose} {repo_id}", f"ask {owner} for it, or use --create-pr"),
        404: (f"{repo_id}, or a user or organisation {owner}", "correct the repository's name"),
        409: ("a branch at rest", "run it again when fewer uploads are under way"),
        412: ("a branch at rest", "run it again when fewer uploads are under way"),
    }
    want, fix = answers.get(status, ("an answer without errors", "run it again"))
    if isinstance(error, ValueError) and "README.md" in found:
        want, fix = "metadata in CARD.md that the Hub takes", "correct the template"
    elif isinstance(error, OfflineModeIsEnabled):
        want, fix = "a way to the Hub", "unset HF_HUB_OFFLINE"
    elif isinstance(error, httpx2.TransportError):
        found, want = f"no answer ({found})", "the Hub"
        fix = "check the network, its proxy settings and HF_ENDPOINT, then run it again"
    elif not isinstance(error, (OSError, httpx2.HTTPError)):
        return error
    problem = Problem(repo_id, f"{status}: {found}" if status else found, want, fix)
    return KernelBuilderError(f"the {purpose} {repo_id} broke off", [problem])
