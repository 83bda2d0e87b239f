"""The Hub's library with this program's timeout, retries and messages."""

import logging
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

import httpx2
from huggingface_hub import HfApi
from huggingface_hub.errors import RepositoryNotFoundError
from huggingface_hub.utils import disable_progress_bars, get_session
from huggingface_hub.utils.sha import git_hash

from kernel_builder import __version__
from kernel_builder.hub.failures import describe, explain, read_status
from kernel_builder.machine.files import MAX_BYTES, MAX_DEPTH, MAX_FILES, hash_file, read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import is_live, say

KERNEL: Final = "kernel"
_CONNECTIONS: Final = 8
# In seconds. The library itself waits for a silent server for ever.
SILENCE: Final = 180.0
# Each conflict with another upload takes one of them, as does each error that may pass.
TRIES: Final = 10
# The first two: another upload was faster.
TRANSIENT: Final = (409, 412, 408, 425, 429, 500, 502, 503, 504)
# Each name in a path: no separator, no control character, and not the folder itself or above.
_NAME: Final = r"(?!\.{1,2}(?:/|$))[^/\\\0-\x1f\x7f]{1,255}"
_PATH: Final = re.compile(rf"{_NAME}(?:/{_NAME}){{0,{MAX_DEPTH}}}")

Result = TypeVar("Result")


def connect() -> HfApi:
    """Return the library's client, whose log shows no secrets."""
    for handler in logging.getLogger("huggingface_hub").handlers:
        handler.addFilter(_redact_record)
    if not is_live():
        disable_progress_bars()
    return HfApi(library_name="kernel-builder", library_version=__version__)


def _redact_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = redact(record.getMessage()), ()
    return True


def retry(action: Callable[[], Result], place: str, purpose: str) -> Result:
    """Return the result of `action`, which is started again after errors that may pass.

    `place` is a repository, or one with @branch; `purpose` is `upload to` or `download from`.
    Raises KernelBuilderError for errors of the Hub, the network and the library.
    """
    failures = 0
    while True:
        try:
            # The library replaces its session after some errors.
            get_session().timeout = httpx2.Timeout(SILENCE, connect=30.0)
            return action()
        except (httpx2.HTTPError, ImportError, OSError, RuntimeError, ValueError) as error:
            if getattr(error, "errno", None) and not isinstance(error, ConnectionError):
                # Not the Hub but this machine: a full disk, say.
                raise
            status = read_status(error)
            # The library raises OSError or RuntimeError for a file that did not arrive whole.
            is_lost = isinstance(error, (RuntimeError, httpx2.TransportError))
            may_pass = is_lost or type(error) is OSError or status in TRANSIENT
            failures += 1
            # A machine without a network says so soon, and a wrong address at once.
            tries = 3 if isinstance(error, httpx2.ConnectError) else TRIES
            if failures == tries or not may_pass or isinstance(error, httpx2.UnsupportedProtocol):
                # The traceback may show requests with secrets.
                raise explain(error, place, purpose) from None
            why = f"status {status}" if status else describe(error).splitlines()[-1]
            say(f"the Hub: {why}; trying again in {failures} s")
            time.sleep(failures)


def open_repository(
    hub: HfApi, repo_id: str, repo_type: str, *, private: bool, dry_run: bool = False
) -> Any:
    """Return the library's description of a repository, which is created if it is missing.

    A dry run creates nothing and returns None. Raises KernelBuilderError if a repository is public
    and has to be private.
    """
    info = None
    # An error of its creation is not raised in the handler of this one, whose cause it would seem.
    with suppress(RepositoryNotFoundError):
        info = hub.repo_info(repo_id, repo_type=repo_type)
    if info is None:
        if dry_run:
            return None
        hub.create_repo(repo_id, repo_type=repo_type, private=private or None, exist_ok=True)
        info = hub.repo_info(repo_id, repo_type=repo_type)
    if private and not info.private:
        fix = "make it private in its settings, or leave --private out"
        problem = Problem(repo_id, "a public repository", "a private one", fix)
        raise KernelBuilderError(f"{repo_id} is public, but --private is given", [problem])
    return info


def list_remote(hub: HfApi, repo_id: str, commit: str, repo_type: str = KERNEL) -> dict[str, Any]:
    """Return the library's RepoFile of each file by path.

    Raises KernelBuilderError for names that are no paths below the repository.
    """
    listed = hub.list_repo_tree(repo_id, recursive=True, revision=commit, repo_type=repo_type)
    # There may be no end to a stranger's list.
    entries = [*islice(listed, MAX_FILES + 1)]
    files = {entry.path: entry for entry in entries if hasattr(entry, "blob_id")}
    odd = [ascii(path[:400]) for path in files if not _PATH.fullmatch(path)]
    if odd or len(entries) > MAX_FILES:
        found = "\n".join(odd[:5]) or f"{len(entries)} names or more"
        want = f"at most {MAX_FILES} names of files below the repository"
        problem = Problem(repo_id, found, want, "do not use it; report it to the Hub")
        raise KernelBuilderError(f"the Hub lists names in {repo_id} that are no files", [problem])
    return files


def download(hub: HfApi, place: Any, files: Any, folder: Any, limit: int = MAX_BYTES) -> None:
    """Download some of the files of `list_remote` into a folder; None is the library's cache.

    `place` has the library's words for the repository and its commit. Raises KernelBuilderError
    before the first file is fetched if they have more than `limit`.
    """
    total = sum(max(0, each.size) for each in files.values())
    if total > limit:
        want, fix = f"at most {limit} bytes", "do not use it; report it to the Hub"
        problem = Problem(place["repo_id"], f"{total} bytes to fetch", want, fix)
        raise KernelBuilderError(f"{place['repo_id']} is not fetched", [problem])
    # The library's function for several would compare every name with the pattern of every file.
    fetch = partial(hub.hf_hub_download, **place, local_dir=folder)
    with ThreadPoolExecutor(_CONNECTIONS) as pool:
        [*pool.map(lambda path: fetch(filename=path), files)]


def is_same(file: Path, remote: Any) -> bool:
    """Return True if a file has the content of a RepoFile, which is None if there is none."""
    if remote is not None and remote.lfs:
        return bool(remote.lfs.sha256 == hash_file(file))
    return remote is not None and remote.blob_id == git_hash(read_file(file, max_bytes=2**30))
