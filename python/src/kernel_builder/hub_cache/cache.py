"""Pushes to a dataset repository of the Hub, which Nix reads as a binary cache over HTTPS.

The files are those of any binary cache, but an archive has the name of its path, nar/HASH.nar.xz:
the list of files alone says which paths are whole. Each push has a record, pushes/HASH-NAME, with
the day of its last run and its closure. Only what old records list, and no other record, is
removed. Every commit is made on top of the one that it was computed for.
"""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import parse_qs, quote

from huggingface_hub import CommitOperationAdd, CommitOperationDelete

from kernel_builder import nix
from kernel_builder.hub import REPOSITORY
from kernel_builder.hub.client import (
    connect,
    download,
    is_same,
    list_remote,
    open_repository,
    retry,
)
from kernel_builder.machine.files import read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.settings import current_settings

DATASET: Final = "dataset"
RECORDS: Final = "pushes/"
INFO: Final = "nix-cache-info"
# Each has two files, and the Hub asks for commits of at most 100 files.
PATHS_A_COMMIT: Final = 48
# Nix writes hashes without e, o, t and u.
_HASH: Final = "[0-9a-df-np-sv-z]{32}"
_RECORD: Final = re.compile(rf"(\d{{4}}-\d\d-\d\d)\n((?:{_HASH}-[A-Za-z0-9+._?=-]{{1,211}}\n)+)")
_ENTRY: Final = re.compile(rf"(?:({_HASH})\.narinfo|nar/({_HASH})\.nar(?:\.[a-z0-9]+)?)")
_ARCHIVE: Final = re.compile(r"^URL: (nar/[^/\n]+?(\.nar[^/\n]*))$", re.MULTILINE)
# A path that the repository has: Nix looks whether references are there, and no further.
_PRESENT: Final = f"URL: nar/0\nCompression: none\nNarHash: sha256:{'0' * 52}\nNarSize: 1\n"


def parse_address(url: str) -> tuple[str, str]:
    """Return the repository and the settings of hf://ORG/NAME?secret-key=FILE.

    Raises UsageError for another address, or if it names no key, or without a network.
    """
    found = re.fullmatch(rf"hf://({REPOSITORY})\?([^#]+)", url)
    if not found or "secret-key" not in parse_qs(found[2]):
        fix = "name the file of your secret key (docs/operations/hub-cache.md says how to make it)"
        problem = Problem("URL", url, "hf://ORG/NAME?secret-key=FILE", fix)
        raise UsageError("this names no repository and key", [problem])
    if current_settings().offline:
        problem = Problem("--offline", "a push to the Hub", "a network", "leave it out")
        raise UsageError("nothing can be pushed offline", [problem])
    return found[1], found[2]


def push_to_hub(url: str, closure: Sequence[str], *, private: bool) -> int:
    """Send a closure, whose last path is the root, to a repository; return how much it lacked."""
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        push = _Push(*parse_address(url), closure, Path(folder))
        retry(lambda: push.update(private), push.repo_id, "upload to")
    return push.sent


def collect_pushes(url: str, days: int) -> int:
    """Remove pushes that are older than so many days, and what they alone list.

    Returns the number of removed paths. Raises KernelBuilderError, and removes nothing, if a record
    cannot be read.
    """
    repo_id, _ = parse_address(url)
    limit = datetime.now(UTC).date() - timedelta(days)
    return retry(lambda: _collect(connect(), repo_id, limit), repo_id, "upload to")


class _Push:
    """A push of a closure. `folder` is an empty one, for a binary cache of what is missing."""

    def __init__(self, repo_id: str, query: str, closure: Sequence[str], folder: Path) -> None:
        self.hub = connect()
        self.repo_id = repo_id
        self.root = Path(closure[-1])
        self.folder = folder
        self.address = f"file://{quote(str(folder))}?{query}"
        # By hash, and each path behind those that it refers to.
        self.paths = {Path(path).name[:32]: path for path in closure}
        self.sent = 0
        # The paths of a commit that the Hub has not answered yet.
        self._pending: list[str] = []

    def update(self, private: bool) -> None:
        """Send what the repository lacks, and the record of this push."""
        head = open_repository(self.hub, self.repo_id, DATASET, private=private).sha
        remote = list_remote(self.hub, self.repo_id, head, DATASET)
        present = _list_whole(remote)
        missing = [each for each in self.paths if each not in present]
        name = RECORDS + self.root.name
        record = self.folder / "record"
        names = sorted(Path(path).name for path in self.paths.values())
        record.write_text("\n".join([str(datetime.now(UTC).date()), *names, ""]))
        files: dict[str, Any] = {}
        if INFO not in remote:
            files[INFO] = f"StoreDir: {self.root.parent}\nWantMassQuery: 1\n".encode()
        # With the first part, so that nobody collects what is there already.
        if not is_same(record, remote.get(name)):
            files[name] = record
        elif present.issuperset(self._pending):
            # The last try's commit is there, and its answer was lost.
            self.sent += len(self._pending)
        self._pending = []
        for start in range(0, max(len(missing), 1), PATHS_A_COMMIT):
            part = missing[start : start + PATHS_A_COMMIT]
            files |= self._copy(part)
            if files:
                say(f"{self.repo_id}: {start + len(part)} of {len(missing)} paths")
                message = f"{self.root.name[33:]}: {len(part)} paths"
                operations = [CommitOperationAdd(path, each) for path, each in files.items()]
                self._pending = part
                head = _commit(self.hub, self.repo_id, head, message, operations)
            self.sent += len(part)
            self._pending = []
            for path in files.values():
                if isinstance(path, Path):
                    path.unlink(missing_ok=True)
            files = {}

    def _copy(self, part: Sequence[str]) -> dict[str, Any]:
        """Write the entries of these paths into the folder; return their files by name."""
        for each, path in self.paths.items():
            info = self.folder / f"{each}.narinfo"
            if each in part and not self._find_archive(each):
                info.unlink(missing_ok=True)
            elif not info.exists():
                info.write_text(f"StorePath: {path}\n{_PRESENT}")
        if part:
            nix.copy_to(self.address, [self.paths[each] for each in part])
        files: dict[str, Any] = {}
        for each in part:
            archive = self._find_archive(each)
            if archive is None:
                found = f"no archive of {self.paths[each]}"
                fix = "run it again; if that does not help, use a newer Nix"
                problem = Problem(self.address, found, "what `nix copy` was asked for", fix)
                raise KernelBuilderError("Nix did not copy everything", [problem])
            name = f"nar/{each}{archive[2]}"
            files[name] = self.folder / archive[1]
            text = archive.string.replace(archive[0], f"URL: {name}", 1)
            files[f"{each}.narinfo"] = text.encode()
        return files

    def _find_archive(self, path: str) -> re.Match[str] | None:
        """Return the line of a path's entry that names its archive, if both are in the folder."""
        info = self.folder / f"{path}.narinfo"
        found = _ARCHIVE.search(info.read_text()) if info.exists() else None
        return found if found and (self.folder / found[1]).exists() else None


def _commit(hub: Any, repo_id: str, head: str, message: str, operations: list[Any]) -> str:
    """Commit on top of `head`, or fail if that is not the newest; return the commit."""
    done = hub.create_commit(
        repo_id, operations, commit_message=message, repo_type=DATASET, parent_commit=head
    )
    return str(done.oid)


def _collect(hub: Any, repo_id: str, limit: date) -> int:
    head = hub.repo_info(repo_id, repo_type=DATASET).sha
    remote = list_remote(hub, repo_id, head, DATASET)
    listed = {path: file for path, file in remote.items() if path.startswith(RECORDS)}
    records = _read_records(hub, repo_id, head, listed)
    old = [path for path, (day, _) in records.items() if day < limit]
    kept = {name[:32] for path in records.keys() - old for name in records[path][1]}
    lost = {name[:32] for path in old for name in records[path][1]} - kept
    entries = {path: each[1] or each[2] for path in remote if (each := _ENTRY.fullmatch(path))}
    gone = [path for path, name in entries.items() if name in lost]
    if old:
        deletions = [CommitOperationDelete(path, is_folder=False) for path in (*old, *gone)]
        _commit(hub, repo_id, head, f"remove {len(old)} pushes before {limit}", deletions)
    return len({entries[path] for path in gone})


def _read_records(
    hub: Any, repo_id: str, head: str, files: Mapping[str, Any]
) -> dict[str, tuple[date, list[str]]]:
    """Return the day and the paths of each record. Raise if one has another form."""
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        place = {"repo_id": repo_id, "repo_type": DATASET, "revision": head}
        download(hub, place, files, Path(folder))
        texts = {path: read_file(Path(folder, path)).decode("ascii", "replace") for path in files}
    records = {path: _read_record(text) for path, text in texts.items()}
    if odd := [show(path) for path, record in records.items() if record is None]:
        fix = "remove it from the repository, or push that kernel again"
        problems = [Problem(each, "another form", "a day, then paths", fix) for each in odd]
        raise KernelBuilderError("nothing was removed: no such record of a push", problems)
    return {path: record for path, record in records.items() if record}


def _read_record(text: str) -> tuple[date, list[str]] | None:
    found = _RECORD.fullmatch(text)
    with suppress(ValueError):
        return (date.fromisoformat(found[1]), found[2].split()) if found else None
    return None


def _list_whole(remote: Any) -> set[str]:
    """Return the hashes of paths of which a repository has both files."""
    found = [each.groups() for each in map(_ENTRY.fullmatch, remote) if each]
    infos, archives = ({each[group] for each in found} - {None} for group in (0, 1))
    return infos & archives
