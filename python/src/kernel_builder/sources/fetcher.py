"""Gets missing sources, several at a time, each by the first of its ways that works.

A file is added to the store only after its hash was checked, and as soon as it is there; so a
run that was broken off is continued by the next one.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Final, Union
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.machine.process import end_all
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.progress import Progress
from kernel_builder.nix.log import Transfer
from kernel_builder.sources.archives import Archives
from kernel_builder.sources.coordinates import Archive, Deb, Source, Wheel
from kernel_builder.sources.debian import Debian
from kernel_builder.sources.refusals import Reason, Refusal, lock, no_space, wrong_hash
from kernel_builder.sources.vendor import Vendors, host_of
from kernel_builder.sources.wheels import Pip, tags_of

WORKERS: Final = 4
UNITS: Final = {"bytes": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}

Refusals = Mapping[Source, Sequence[Refusal]]
Arrived = Mapping[Source, Union[Path, Refusal]]

# What pip and apt say of the size of what they are going to fetch.
_SIZE = re.compile(
    r"^\s*(?:Downloading|Using cached|Get:\d+) .*[(\[]([\d.]+) ?(B|bytes|kB|MB|GB)[)\]]"
)


@dataclass
class Job:
    """Sources that are got in one go, and in which way; and how far that is."""

    way: str
    sources: tuple[Source, ...]
    place: Path | None = None
    total: float = 0
    transfers: dict[str, Transfer] = field(default_factory=dict)

    @property
    def label(self) -> str:
        if len(self.sources) == 1:
            return self.sources[0].label
        names = {"apt": "Debian packages", "pip": "wheels"}
        return f"{len(self.sources)} {names.get(self.way, f'files of {host_of(self.sources[0])}')}"

    def read_size(self, line: str) -> None:
        """Take a line of pip or apt and add the size that it tells."""
        said = _SIZE.match(line)
        if said:
            self.total += float(said[1]) * UNITS[said[2]]

    def read_transfer(self, transfer: Transfer) -> None:
        """Take the state of one of Nix's downloads."""
        self.transfers[transfer.url] = transfer

    def show(self, progress: Progress) -> None:
        """Show what has come so far."""
        key = str(self.place)
        for url, transfer in list(self.transfers.items()):
            name = PurePosixPath(urlsplit(url).path).name or url
            progress.show_bytes(url, name, transfer.done, transfer.total or None)
            if transfer.total and transfer.done >= transfer.total:
                progress.remove(url)
        if not self.transfers:
            done = measure(self.place) if self.place and self.total else 0
            progress.show_bytes(key, self.label, min(done, self.total), self.total or None)

    def hide(self, progress: Progress) -> None:
        """Take away what was shown."""
        for key in (str(self.place), *self.transfers):
            progress.remove(key)


class Fetcher:
    """One run; it remembers across calls what it learnt about hosts and registries."""

    def __init__(self, archives: str | None = None) -> None:
        self._vendors = Vendors()
        self._archives = Archives(archives, self._vendors)
        self._pip = Pip()
        self._debian: Debian | None = None

    def fetch(self, sources: Sequence[Source]) -> Refusals:
        """Get sources into the store and return, for each that failed, why."""
        refused: dict[Source, list[Refusal]] = {source: [] for source in sources}
        progress = Progress()
        try:
            with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
                self._fetch_into(Path(name), refused, progress)
        except OSError as error:
            raise KernelBuilderError(
                f"sources cannot be kept in {tempfile.gettempdir()} while they are checked",
                [_disk_problem(error)],
            ) from None
        finally:
            progress.close()
        return {source: found for source, found in refused.items() if found}

    def _fetch_into(
        self, folder: Path, refused: dict[Source, list[Refusal]], progress: Progress
    ) -> None:
        self._debian = Debian(folder)
        count = ended = 0
        running: dict[Future[Mapping[Source, Refusal | None]], Job] = {}
        pool = ThreadPoolExecutor(WORKERS)

        def start(jobs: Iterable[Job]) -> None:
            for job in jobs:
                job.place = Path(tempfile.mkdtemp(dir=folder))
                running[pool.submit(self._run, job, job.place)] = job

        def end(text: str) -> None:
            nonlocal ended
            ended += 1
            if not progress.is_live:
                progress.say(f"[{ended}/{count}] {text}")

        count = len(refused)
        try:
            start(self._group(refused))
            while running:
                for future in wait(running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                    job = running.pop(future)
                    job.hide(progress)
                    others = []
                    for source, refusal in future.result().items():
                        if refusal is None:
                            refused[source].clear()
                            end(f"fetched {source.label}")
                            continue
                        refused[source].append(refusal)
                        if job.way != "url" and source.url and refusal.reason != Reason.NO_SPACE:
                            others.append(source)
                        else:
                            end(f"no way to get {source.label}")
                    start(_group_by(others, _way_to_address))
                progress.show("", f"fetching sources {ended}/{count}")
                for future, job in running.items():
                    if future.running():
                        job.show(progress)
        except BaseException:
            end_all()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _group(self, sources: Iterable[Source]) -> list[Job]:
        """Group what one call of apt, pip or Nix can get: they are slow to start."""
        debian = self._debian
        assert debian is not None, "internal error: no run"

        def way_of(source: Source) -> tuple[str, object]:
            if isinstance(source, Deb):
                plain = source.architecture == "all"
                return "apt", debian.native() if plain else source.architecture
            if isinstance(source, Wheel):
                return "pip", tags_of(source.file)
            if isinstance(source, Archive):
                return "archives", source
            return _way_to_address(source)

        return _group_by(sources, way_of)

    def _run(self, job: Job, place: Path) -> Mapping[Source, Refusal | None]:
        """Get what a job is about; runs in a thread."""
        try:
            if job.way == "url":
                return self._vendors.fetch(job.sources, job.read_transfer)
            if job.way == "archives":
                return self._archives.fetch(job.sources, place, job.read_transfer)
            return _add(self._get(job, place), job, place)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            return dict.fromkeys(job.sources, no_space(str(place.parent)))

    def _get(self, job: Job, place: Path) -> Arrived:
        if job.way == "apt":
            assert self._debian is not None, "internal error: no run"
            debs = [source for source in job.sources if isinstance(source, Deb)]
            return dict(self._debian.fetch(debs, place, job.read_size).items())
        wheels = [source for source in job.sources if isinstance(source, Wheel)]
        return dict(self._pip.fetch(wheels, place, job.read_size).items())


def _way_to_address(source: Source) -> tuple[str, object]:
    """Nix gets the files of a host in one call, trees one by one."""
    return "url", source if isinstance(source, Archive) else host_of(source)


def _group_by(
    sources: Iterable[Source], way_of: Callable[[Source], tuple[str, object]]
) -> list[Job]:
    groups: dict[tuple[str, object], list[Source]] = {}
    for source in sources:
        groups.setdefault(way_of(source), []).append(source)
    return [Job(way, tuple(members)) for (way, _), members in groups.items()]


def _add(got: Arrived, job: Job, place: Path) -> dict[Source, Refusal | None]:
    """Check files and add those that are right, under the names their derivations expect."""
    results: dict[Source, Refusal | None] = {}
    named: dict[Source, Path] = {}
    (place / "checked").mkdir()
    for source, file in got.items():
        if isinstance(file, Refusal):
            results[source] = file
            continue
        sha256 = _hash(file)
        if sha256 != source.target.sha256:
            origin = "apt's mirror" if job.way == "apt" else "the index that pip uses"
            results[source] = wrong_hash(origin, sha256, lock(source))
            continue
        named[source] = file.rename(place / "checked" / source.target.name)
    if not named:
        return results
    try:
        paths = nix.add_files(list(named.values()))
    except nix.NixError as error:
        if "No space left" in error.headline:
            return {**results, **dict.fromkeys(named, no_space("/nix/store"))}
        found = f"Nix does not add it: {error.headline}"
        refusal = Refusal(Reason.OTHER, found, "see what Nix says")
        return {**results, **dict.fromkeys(named, refusal)}
    for (source, file), path in zip(named.items(), paths):
        file.unlink()
        results[source] = None
        if path != source.target.store_path:
            raise KernelBuilderError(
                "internal error: a file got another store path than its derivation expects",
                [
                    Problem(
                        at=source.target.derivation,
                        found=path,
                        want=source.target.store_path,
                        fix="report this: name, hash or hash mode of the derivation differ",
                    )
                ],
            )
    return results


def _hash(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        for block in iter(lambda: opened.read(1024 * 1024), b""):
            digest.update(block)
    return digest.hexdigest()


def measure(folder: Path) -> int:
    """Return the bytes below a folder in which others are writing."""
    total = 0
    # `os.walk` passes over a folder that is gone again, as those of pip are all the time.
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118
    return total


def _disk_problem(error: OSError) -> Problem:
    return Problem(
        at=tempfile.gettempdir(),
        found=error.strerror or str(error),
        want="a folder with room for the downloads",
        fix="free some space, or set TMPDIR to a folder on a larger disk, and run this again",
    )
