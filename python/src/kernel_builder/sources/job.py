"""Sources that are got in one go: how far that is, and the way of files into the store.

A file is added only after its hash was checked, and as soon as it is there; so a run that was
broken off is continued by the next one.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kernel_builder import nix
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.progress import Progress
from kernel_builder.nix.errors import DiskFullError, NixError
from kernel_builder.nix.log import Transfer
from kernel_builder.sources.coordinates import Deb, Source
from kernel_builder.sources.refusals import Ends, Refusal, no_space, wrong_hash

UNITS: Final = {"bytes": 1, "B": 1, "kB": 1e3, "MB": 1e6, "GB": 1e9}

# What pip and apt say of the size of what they are going to fetch.
_SIZE = re.compile(
    r"^\s*(?:Downloading|Using cached|Get:\d+) .*[(\[]([\d.]+) ?(B|bytes|kB|MB|GB)[)\]]"
)


@dataclass
class Job:
    """Sources that are got in one go, in a thread of its own, and how far that is."""

    what: str
    sources: Sequence[Source]
    fetch: Callable[[Job], Iterable[Ends]]
    # Where files lie until they are in the store.
    place: Path = field(default_factory=Path)
    total: float = 0
    added: int = 0
    transfers: dict[str, Transfer] = field(default_factory=dict)
    # How sources ended, until somebody has taken note of it.
    ends: deque[tuple[Source, Refusal | None]] = field(default_factory=deque)

    def run(self, folder: Path) -> None:
        """Get the sources into the store, by way of a folder."""
        self.place = Path(tempfile.mkdtemp(dir=folder))
        for arrived in self.fetch(self):
            self.ends.extend(self._add(arrived).items())

    def read_size(self, line: str) -> bool:
        """Take a line of pip or apt and add the size that it tells."""
        said = _SIZE.match(line)
        if said:
            self.total += float(said[1]) * UNITS[said[2]]
        return True

    def read_transfer(self, transfer: Transfer) -> None:
        """Take the state of one of Nix's downloads."""
        self.transfers[transfer.url] = transfer

    def show(self, progress: Progress) -> None:
        """Show what has come so far."""
        downloads = list(self.transfers.values())
        total = self.total + sum(each.total for each in downloads)
        done = sum(each.done for each in downloads)
        if self.total:
            done += self.added + measure(self.place)
        one = len(self.sources) == 1
        label = self.sources[0].label if one else f"{len(self.sources)} {self.what}"
        if total:
            progress.show_bytes(self.what, label, min(done, total), total)

    def _add(self, arrived: Ends) -> dict[Source, Refusal | None]:
        """Check files and add those that are right, under the names their derivations expect."""
        ends: dict[Source, Refusal | None] = {}
        files: dict[Source, Path] = {}
        (self.place / "checked").mkdir(exist_ok=True)
        for source, file in arrived.items():
            if not isinstance(file, Path):
                ends[source] = file
            elif (sha256 := _hash(file)) != source.sha256:
                origin = "apt's mirror" if isinstance(source, Deb) else "the index that pip uses"
                ends[source] = wrong_hash(source, origin, sha256)
            else:
                files[source] = file.rename(self.place / "checked" / source.name)
        try:
            paths = nix.add_files(list(files.values())) if files else []
        except DiskFullError:
            return {**ends, **dict.fromkeys(files, no_space("/nix/store"))}
        except NixError as error:
            refusal = Refusal(f"Nix does not add it: {error.headline}", "see what Nix says")
            return {**ends, **dict.fromkeys(files, refusal)}
        for (source, file), path in zip(files.items(), paths):
            if path != source.store_path:
                raise KernelBuilderError(
                    "internal error: a file got another store path than its derivation expects",
                    [
                        Problem(
                            at=source.derivation,
                            found=path,
                            want=source.store_path,
                            fix="report this: name, hash or hash mode of the derivation differ",
                        )
                    ],
                )
            self.added += file.stat().st_size
            file.unlink()
            ends[source] = None
        return ends


def measure(folder: Path) -> int:
    """Return the bytes below a folder in which others are writing."""
    total = 0
    # `os.walk` passes over a folder that is gone again, as those of pip are all the time.
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size  # noqa: PTH118
    return total


def _hash(file: Path) -> str:
    digest = hashlib.sha256()
    with file.open("rb") as opened:
        for block in iter(lambda: opened.read(1024 * 1024), b""):
            digest.update(block)
    return digest.hexdigest()
