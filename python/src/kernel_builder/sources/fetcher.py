"""Gets missing sources: through the machine's apt and pip first, else from their addresses."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path
from typing import Final

from kernel_builder.machine.process import end_all
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.progress import Progress
from kernel_builder.sources.archives import fetch_archives
from kernel_builder.sources.coordinates import Archive, Deb, Source, Wheel
from kernel_builder.sources.debian import fetch_debs
from kernel_builder.sources.job import Job
from kernel_builder.sources.refusals import Refusal
from kernel_builder.sources.vendor import fetch_from_host, host_of
from kernel_builder.sources.wheels import fetch_wheels

WORKERS: Final = 4

Refusals = Mapping[Source, Sequence[Refusal]]


def fetch_sources(sources: Sequence[Source], archives: str | None = None) -> Refusals:
    """Get sources into the store and return, for each that failed, why.

    `archives` is where archives of trees may lie: a folder, or the address of a mirror.
    """
    run = _Run(sources)
    try:
        with tempfile.TemporaryDirectory(prefix="kernel-builder-") as folder:
            # apt's downloader is another user, and what comes here is no secret.
            Path(folder).chmod(0o711)
            run.carry_out(_from_near(sources, archives), Path(folder), is_last=False)
            run.carry_out(_from_addresses(run.missing), Path(folder), is_last=True)
    except OSError as error:
        place = tempfile.gettempdir()
        problem = Problem(
            at=place,
            found=error.strerror or str(error),
            want="a folder with room for the downloads",
            fix="free some space, or set TMPDIR to a folder on a larger disk, and run this again",
        )
        headline = f"sources cannot be kept in {place} while they are checked"
        raise KernelBuilderError(headline, [problem]) from None
    finally:
        run.progress.close()
    return run.missing


def _from_near(sources: Sequence[Source], archives: str | None) -> list[Job]:
    debs = [source for source in sources if isinstance(source, Deb)]
    wheels = [source for source in sources if isinstance(source, Wheel)]
    trees = [source for source in sources if isinstance(source, Archive)]
    ways = [
        Job("Debian packages", debs, lambda job: [fetch_debs(debs, job.place, job.read_size)]),
        Job("wheels", wheels, lambda job: fetch_wheels(wheels, job.place, job.read_size)),
        Job(
            "archives",
            trees,
            lambda job: fetch_archives(trees, archives, job.read_transfer),
        ),
    ]
    return [job for job in ways if job.sources]


def _from_addresses(sources: Iterable[Source]) -> list[Job]:
    hosts: dict[str, list[Source]] = {}
    for source in sources:
        if source.url:
            hosts.setdefault(host_of(source), []).append(source)
    return [
        Job(f"files of {host}", some, lambda job: fetch_from_host(job.sources, job.read_transfer))
        for host, some in hosts.items()
    ]


class _Run:
    """What is still missing, with the reasons so far, and what of it the user has been told."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self.missing: dict[Source, list[Refusal]] = {source: [] for source in sources}
        self.progress = Progress()
        self._count = len(sources)
        self._ended = 0

    def carry_out(self, jobs: Sequence[Job], folder: Path, *, is_last: bool) -> None:
        """Run jobs at once; with `is_last`, what they do not get has no other way."""
        pool = ThreadPoolExecutor(WORKERS)
        running = {pool.submit(job.run, folder): job for job in jobs}
        try:
            while running:
                over, _ = wait(running, timeout=0.2)
                self.progress.show(f"fetching sources {self._ended}/{self._count}")
                for future, job in running.items():
                    if future.running():
                        job.show(self.progress)
                    while job.ends:
                        self._end(*job.ends.popleft(), is_last=is_last)
                for future in over:
                    self.progress.remove(running.pop(future).what)
                    future.result()
        except BaseException:
            end_all()
            raise
        finally:
            pool.shutdown(cancel_futures=True)

    def _end(self, source: Source, refusal: Refusal | None, *, is_last: bool) -> None:
        if refusal is None:
            del self.missing[source]
        else:
            self.missing[source].append(refusal)
            if source.url and not is_last:
                return
        self._ended += 1
        if not self.progress.is_live:
            end = "no way to get" if refusal else "fetched"
            self.progress.say(f"[{self._ended}/{self._count}] {end} {source.label}")
