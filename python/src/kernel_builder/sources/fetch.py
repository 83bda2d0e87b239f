"""Fetches missing sources: through the machine's apt and pip first, else from their addresses.

A file is added to the store only after its hash was checked, and as soon as it has arrived, so a
run that was broken off is continued by the next one.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from kernel_builder import nix
from kernel_builder.machine.files import hash_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.progress import Progress
from kernel_builder.nix.errors import MORE_SPACE
from kernel_builder.nix.log import NixLog
from kernel_builder.settings import current_settings
from kernel_builder.sources.addresses import fetch_archives, fetch_files
from kernel_builder.sources.apt import fetch_debs
from kernel_builder.sources.coordinates import Outcomes, Source
from kernel_builder.sources.missing import OFFLINE, Missing, Refusals
from kernel_builder.sources.wheels import fetch_wheels


def fetch_missing(missing: Missing, archives: str | None = None) -> Refusals:
    """Fetch the sources into the store; return the reasons for each that failed.

    `archives` is a folder of archives of trees, or the address of a mirror. Raises
    KernelBuilderError if there is no room for temporary files.
    """
    if not missing.sources or current_settings().offline:
        return {source: [OFFLINE] for source in missing.sources}
    try:
        with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
            run = _Run(missing.sources, Path(name))
            try:
                run.fetch_all(archives)
            finally:
                run.progress.close()
            return run.missing
    except OSError as error:
        place = tempfile.gettempdir()
        found = error.strerror or str(error)
        problem = Problem(place, found, "a folder with room for the downloads", MORE_SPACE)
        raise KernelBuilderError(f"sources cannot be kept in {place}", [problem]) from None


class _Run:
    """The sources that are still missing, with the reasons so far."""

    def __init__(self, sources: Sequence[Source], folder: Path) -> None:
        self.missing: dict[Source, list[str]] = {source: [] for source in sources}
        self.progress = Progress()
        self._folder = folder
        self._count = len(sources)
        self._ended = 0
        # apt downloads as another user, and nothing here is a secret.
        folder.chmod(0o711)

    def fetch_all(self, archives: str | None) -> None:
        """Fetch by apt, pip and archives, then from the addresses of what they do not have."""
        kinds: dict[str, list[Source]] = {}
        for source in self.missing:
            kinds.setdefault(source.kind, []).append(source)
        for kind, fetch in (("deb", fetch_debs), ("wheel", fetch_wheels)):
            if kind in kinds:
                folder = Path(tempfile.mkdtemp(dir=self._folder))
                self._take(fetch(kinds[kind], folder, self._show))
        if trees := kinds.get("archive"):
            self._show(f"{len(trees)} archives")
            self._take(fetch_archives(trees, archives))
        if files := [each for each in self.missing if each.url and each.kind != "archive"]:
            self._take([fetch_files(files, self._show_transfers)], is_last=True)

    def _show(self, what: str) -> None:
        self.progress.show(f"fetching sources {self._ended}/{self._count}: {what}")

    def _show_transfers(self, log: NixLog) -> None:
        if transfers := log.transfers.values():
            done, total = map(sum, zip(*transfers))
            self._show(f"{done / 1e6:.1f}/{total / 1e6:.1f} MB of {len(transfers)} files")

    def _take(self, arrivals: Iterable[Outcomes], *, is_last: bool = False) -> None:
        """Add the files that arrive, and note why others do not."""
        for outcomes in arrivals:
            for source, reason in _add_files(outcomes, self._folder).items():
                if reason is None:
                    del self.missing[source]
                else:
                    self.missing[source].append(reason)
                    if source.url and source.kind != "archive" and not is_last:
                        continue
                self._ended += 1
                if not self.progress.is_live:
                    end = "cannot fetch" if reason else "fetched"
                    self.progress.say(f"[{self._ended}/{self._count}] {end} {source.label}")


def _add_files(outcomes: Outcomes, folder: Path) -> dict[Source, str | None]:
    """Add files that have the pinned hash, under the names that their derivations expect."""
    ends: dict[Source, str | None] = {}
    files: dict[Source, Path] = {}
    (folder / "checked").mkdir(exist_ok=True)
    for source, arrived in outcomes.items():
        if not isinstance(arrived, Path):
            ends[source] = arrived
        elif (sha256 := hash_file(arrived)) != source.sha256:
            ends[source] = f"another file came under this name, sha256 {sha256}"
        else:
            files[source] = arrived.replace(folder / "checked" / source.name)
    try:
        paths = nix.add_files(list(files.values())) if files else []
    except KernelBuilderError as error:
        return {**ends, **dict.fromkeys(files, f"Nix does not add it: {error}")}
    for (source, file), path in zip(files.items(), paths):
        file.unlink()
        ends[source] = None
        if path != source.store_path:
            ends[source] = f"internal error: Nix added it as {path}, not as {source.store_path}"
    return ends
