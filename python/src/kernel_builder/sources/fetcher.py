"""Gets missing sources, several at a time, each by the first of its ways that works.

A file is added to the store only after its hash was checked, and as soon as it is there; so a
run that was broken off is continued by the next one.
"""

from __future__ import annotations

import errno
import hashlib
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.process import end_all
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.sources.coordinates import Deb, Source, Wheel
from kernel_builder.sources.debian import Debian
from kernel_builder.sources.hosts import Hosts
from kernel_builder.sources.pip import Pip
from kernel_builder.sources.progress import Arrivals
from kernel_builder.sources.refusals import (
    LOCK_DEBS,
    LOCK_WHEELS,
    Reason,
    Refusal,
    no_space,
    wrong_hash,
)
from kernel_builder.sources.vendor import download
from kernel_builder.sources.wheelname import parse_tags

WORKERS: Final = 4

Refusals = Mapping[Source, Sequence[Refusal]]


@dataclass(frozen=True)
class Job:
    """Sources that are got in one go, and in which way."""

    way: str
    sources: tuple[Source, ...]

    @property
    def label(self) -> str:
        if len(self.sources) == 1:
            return self.sources[0].label
        return f"{len(self.sources)} through {self.way}"


class Fetcher:
    """One run; it remembers across calls what it learnt about hosts and registries."""

    def __init__(self) -> None:
        self._hosts = Hosts()
        self._pip = Pip()
        self._debian: Debian | None = None

    def fetch(self, sources: Sequence[Source], arrivals: Arrivals) -> Refusals:
        """Get sources into the store and return, for each that failed, why."""
        refused: dict[Source, list[Refusal]] = {source: [] for source in sources}
        try:
            with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
                self._fetch_into(Path(name), sources, refused, arrivals)
        except OSError as error:
            raise KernelBuilderError(
                "the sources cannot be kept while they are checked",
                [_disk_problem(error)],
            ) from None
        finally:
            arrivals.finish()
        return {source: found for source, found in refused.items() if found}

    def _fetch_into(
        self,
        folder: Path,
        sources: Sequence[Source],
        refused: dict[Source, list[Refusal]],
        arrivals: Arrivals,
    ) -> None:
        self._debian = Debian(folder)
        running: dict[Future[Mapping[Source, Refusal | None]], Job] = {}
        with ThreadPoolExecutor(WORKERS) as pool:

            def start(jobs: Iterable[Job]) -> None:
                for job in jobs:
                    place = Path(tempfile.mkdtemp(dir=folder))
                    running[pool.submit(self._run, job, place, arrivals)] = job

            try:
                start(self._group(sources))
                while running:
                    arrivals.show_running([job.label for job in running.values()])
                    for future in wait(running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                        job = running.pop(future)
                        for source, refusal in future.result().items():
                            if refusal is None:
                                refused[source].clear()
                                arrivals.arrived(source)
                                continue
                            refused[source].append(refusal)
                            other = _next_way(job, source, refusal)
                            if other:
                                start([other])
                            else:
                                arrivals.failed(source)
            except BaseException:
                # The pool waits for its threads: let them have nothing left to do.
                pool.shutdown(wait=False, cancel_futures=True)
                end_all()
                raise

    def _group(self, sources: Sequence[Source]) -> list[Job]:
        """Group what one call of apt or pip can get: they are slow to start."""
        assert self._debian is not None, "internal error: no run"
        groups: dict[tuple[str, object], list[Source]] = {}
        for source in sources:
            if isinstance(source, Deb):
                plain = source.architecture == "all"
                group: object = self._debian.native() if plain else source.architecture
                groups.setdefault(("apt", group), []).append(source)
            elif isinstance(source, Wheel):
                groups.setdefault(("pip", parse_tags(source.file)), []).append(source)
            else:
                groups.setdefault(("url", source), []).append(source)
        return [Job(way, tuple(members)) for (way, _), members in groups.items()]

    def _run(self, job: Job, place: Path, arrivals: Arrivals) -> Mapping[Source, Refusal | None]:
        """Get what a job is about; runs in a thread."""
        try:
            return _add(self._get(job, place, arrivals), job, place)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            return dict.fromkeys(job.sources, no_space(str(place.parent)))

    def _get(self, job: Job, place: Path, arrivals: Arrivals) -> Mapping[Source, Path | Refusal]:
        assert self._debian is not None, "internal error: no run"
        if job.way == "apt":
            debs = [source for source in job.sources if isinstance(source, Deb)]
            return dict(self._debian.fetch(debs, place, arrivals.note).items())
        if job.way == "pip":
            wheels = [source for source in job.sources if isinstance(source, Wheel)]
            return dict(self._pip.fetch(wheels, place).items())
        return {source: self._download(source, place) for source in job.sources}

    def _download(self, source: Source, place: Path) -> Path | Refusal:
        if not source.url:
            return Refusal(Reason.GONE, "it has no address", "update kernel-builder")
        file = place / "download"
        return download(source.url, file, self._hosts) or file


def _next_way(job: Job, source: Source, refusal: Refusal) -> Job | None:
    """Return the source's own address as second way, where it has one."""
    if job.way == "url" or not source.url or refusal.reason is Reason.NO_SPACE:
        return None
    return Job("url", (source,))


def _add(
    got: Mapping[Source, Path | Refusal], job: Job, place: Path
) -> dict[Source, Refusal | None]:
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
            results[source] = wrong_hash(_origin(job, source), sha256, _lock(source))
            continue
        named[source] = file.rename(place / "checked" / source.target.name)
    if not named:
        return results
    try:
        paths = nix.add_files(list(named.values()))
    except nix.NixError as error:
        full = "No space left" in error.headline
        refusal = (
            no_space("/nix/store")
            if full
            else Refusal(
                Reason.OTHER, f"Nix does not add it: {error.headline}", "see what Nix says"
            )
        )
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


def _origin(job: Job, source: Source) -> str:
    if job.way == "url" and source.url:
        return source.url
    return "apt's mirror" if job.way == "apt" else "the index that pip uses"


def _lock(source: Source) -> str:
    if isinstance(source, Deb):
        return LOCK_DEBS
    return LOCK_WHEELS if isinstance(source, Wheel) else "kernel-builder lock"


def _disk_problem(error: OSError) -> Problem:
    return Problem(
        at=tempfile.gettempdir(),
        found=error.strerror or str(error),
        want="a folder with room for the downloads",
        fix="free some space, or set TMPDIR to a folder on a larger disk, and run this again",
    )
