"""One repository on the Hub: the requests that uploading and verifying are made of."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import httpx2
from huggingface_hub import (
    CommitInfo,
    CommitOperationAdd,
    CommitOperationDelete,
    HfApi,
    get_token,
)
from huggingface_hub.errors import RepositoryNotFoundError, RevisionNotFoundError
from huggingface_hub.utils import (
    build_hf_headers,
    disable_progress_bars,
    get_session,
    hf_raise_for_status,
)

from kernel_builder import __version__
from kernel_builder.hub.changes import Change
from kernel_builder.hub.failures import no_token
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import complain, is_live, say

KERNEL: Final = "kernel"
# Without a limit of its own, the library waits for a silent server for ever.
TIMEOUT_VARIABLE: Final = "KERNEL_BUILDER_HUB_TIMEOUT"
SILENCE: Final = 180.0
# How many of the newest ones are looked at to find one that was begun.
PULL_REQUESTS: Final = 20


def silence_library(token: str | None) -> None:
    """Let the library log and warn as all else does, and without what gives access."""

    class Redacting(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(redact(record.getMessage(), token))

    logger = logging.getLogger("huggingface_hub")
    logger.handlers = [Redacting()]
    logger.propagate = False
    warnings.showwarning = lambda message, *_, **__: complain(
        "warning", redact(str(message), token)
    )
    if not is_live():
        disable_progress_bars()


class Hub:
    """A repository, which may not exist yet."""

    def __init__(self, repo_id: str, *, may_write: bool) -> None:
        self.repo_id = repo_id
        self.token = get_token()
        if may_write and not self.token:
            raise no_token()
        self._hf = HfApi(
            token=self.token or False, library_name="kernel-builder", library_version=__version__
        )
        silence_library(self.token)

    @property
    def _api(self) -> HfApi:
        """The library, which replaces its session after some failures, with our timeout."""
        silence = float(os.environ.get(TIMEOUT_VARIABLE, SILENCE))
        get_session().timeout = httpx2.Timeout(silence, connect=min(silence, 30.0))
        return self._hf

    @property
    def url(self) -> str:
        """Where people look at the repository."""
        return redact(f"{self._hf.endpoint}/kernels/{self.repo_id}")

    def is_private(self) -> bool | None:
        """Say whether the repository is private; None if there is none that we may see."""
        try:
            return bool(self._api.kernel_info(self.repo_id).private)
        except RepositoryNotFoundError:
            return None

    def create(self, *, private: bool) -> None:
        """Make the repository; somebody else may have done so by now."""
        self._api.create_repo(
            self.repo_id, repo_type=KERNEL, private=private or None, exist_ok=True
        )

    def create_branch(self, branch: str) -> None:
        """Make a branch at the first commit, so that it has nothing of other versions."""
        first = self._api.list_repo_commits(self.repo_id, repo_type=KERNEL, revision="main")[-1]
        self._api.create_branch(
            self.repo_id, branch=branch, revision=first.commit_id, repo_type=KERNEL, exist_ok=True
        )

    def find_commit(self, revision: str) -> str | None:
        """Return the commit that a branch is at; None if there is no such branch."""
        try:
            return str(self._api.kernel_info(self.repo_id, revision=revision).sha)
        except RevisionNotFoundError:
            return None

    def list_files(self, commit: str) -> dict[str, str]:
        """Return the Hub's name of each file's content: SHA-256 of a large one, else git's."""
        entries: Any = self._api.list_repo_tree(
            self.repo_id, recursive=True, revision=commit, repo_type=KERNEL
        )
        return {
            entry.path: entry.lfs.sha256 if entry.lfs else entry.blob_id
            for entry in entries
            if hasattr(entry, "blob_id")
        }

    def read(self, commit: str, path: str) -> bytes:
        """Return the content of a file, which has to be there."""
        below = f"kernels/{self.repo_id}/resolve/{commit}/{quote(path)}"
        address = f"{self._api.endpoint}/{below}"
        answer = get_session().get(address, headers=build_hf_headers(token=self.token or False))
        hf_raise_for_status(answer)
        return bytes(answer.content)

    def download(self, commit: str, patterns: Sequence[str], folder: Path) -> None:
        """Write the files of these patterns (`build/*`) into a folder, under their own paths."""
        self._api.snapshot_download(
            self.repo_id,
            repo_type=KERNEL,
            revision=commit,
            local_dir=folder,
            allow_patterns=list(patterns),
        )

    def find_newest(self) -> str:
        """Return the branch of the newest version; `main` if no branch is one of a version."""
        branches = self._api.list_repo_refs(self.repo_id, repo_type=KERNEL).branches
        versions = [int(each.name[1:]) for each in branches if re.fullmatch(r"v\d+", each.name)]
        return f"v{max(versions)}" if versions else "main"

    def find_authors(self, commit: str) -> list[str]:
        """Return who made a commit, as the Hub knows them."""
        commits = self._api.list_repo_commits(self.repo_id, repo_type=KERNEL, revision=commit)
        return list(commits[0].authors)

    def commit(
        self,
        revision: str,
        parent: str,
        change: Change,
        title: str,
        description: str,
        *,
        create_pr: bool,
    ) -> CommitInfo:
        """Make a commit on top of `parent`, or none if the branch has moved since."""
        return self._api.create_commit(
            self.repo_id,
            [
                *(CommitOperationAdd(path, file.source) for path, file in change.add.items()),
                *(CommitOperationDelete(path, is_folder=False) for path in change.remove),
            ],
            commit_message=title,
            commit_description=description,
            repo_type=KERNEL,
            revision=revision,
            parent_commit=parent,
            create_pr=create_pr,
        )

    def find_pull_request(self, title: str) -> str | None:
        """Return the newest pull request whose last commit has this title."""
        refs = self._api.list_repo_refs(self.repo_id, repo_type=KERNEL, include_pull_requests=True)
        for request in list(refs.pull_requests or [])[-PULL_REQUESTS:][::-1]:
            commits = self._api.list_repo_commits(
                self.repo_id, repo_type=KERNEL, revision=request.ref
            )
            if commits and commits[0].title == title:
                return str(request.ref)
        return None
