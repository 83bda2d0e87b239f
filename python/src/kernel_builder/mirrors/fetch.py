"""Fetches missing sources: through apt and pip, or from their addresses.

A file is added to the store only after its hash was checked, and as soon as it has arrived, so a
run that was broken off is continued by the next one.
"""

import re
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePosixPath
from typing import Final
from urllib.parse import urlsplit

from kernel_builder import nix
from kernel_builder.machine.files import hash_file
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import Progress
from kernel_builder.mirrors.apt import fetch_debs
from kernel_builder.mirrors.coordinates import Outcomes, Source, collect_sources
from kernel_builder.mirrors.wheels import fetch_wheels
from kernel_builder.nix.errors import MORE_SPACE, is_full
from kernel_builder.nix.log import NixLog
from kernel_builder.settings import current_settings
from kernel_builder.variants.missing import Missing, Refusal

DOWNLOADS_AT_ONCE: Final = 4
OFFLINE: Final = "it is not in the store, and --offline is given"
OTHER_FILE: Final = re.compile("another file|hash mismatch")
_WAYS: Final[Mapping[str, str]] = {
    "deb": "give apt a mirror that has it in Debian {0.suite}",
    "wheel": "give pip an index that has it (`pip config list` shows the present ones)",
    "vendor": "correct its address",
    "kernel": "lock {0.repository} anew (`nix run .#lock-kernels`) if it lost its commit",
    "archive": "fetch {0.url} elsewhere, bring it here, and run nix-prefetch-url --unpack --name "
    "{0.name} --type sha256 file://$PWD/{0.file} {0.sha256}",
}

# The reasons why each way to a source failed.
Refusals = Mapping[Source, Sequence[str]]


def fetch_sources(missing: Missing, only_check: bool = False) -> list[Refusal]:
    """Fetch the sources into the store; return those that cannot be had.

    Raises KernelBuilderError if a source has wrong coordinates, or if there is no room for
    temporary files.
    """
    sources = collect_sources(missing.sources)
    refused: Refusals = {} if only_check else _fetch_missing(sources)
    refusals = []
    for source, reasons in refused.items():
        want, fix = f"{source.name}, sha256 {source.sha256}", _find_way_out(source, reasons)
        problem = Problem(source.label, "\n".join(reasons), want, fix)
        refusals.append((source.derivation, problem))
    return refusals


def _find_way_out(source: Source, reasons: Sequence[str]) -> str:
    if OFFLINE in reasons:
        return "leave --offline out"
    if any(map(is_full, reasons)):
        return MORE_SPACE
    if any(map(OTHER_FILE.search, reasons)):
        return "do not use that file; if it was replaced on purpose, correct the pin"
    way = _WAYS[source.kind].format(source)
    return f"check the network, {way}, or prefetch elsewhere and bring it here with `nix copy`"


def _fetch_missing(sources: Sequence[Source]) -> Refusals:
    if not sources or current_settings().offline:
        return {source: [OFFLINE] for source in sources}
    progress = Progress()
    try:
        with tempfile.TemporaryDirectory(prefix="kernel-builder-") as name:
            # apt downloads as another user, and nothing here is a secret.
            Path(name).chmod(0o711)
            return _fetch_all(sources, Path(name), progress)
    except OSError as error:
        place, found = tempfile.gettempdir(), error.strerror or str(error)
        problem = Problem(place, found, "a folder with room for the downloads", MORE_SPACE)
        raise KernelBuilderError(f"sources cannot be kept in {place}", [problem]) from None
    finally:
        progress.close()


def _fetch_all(sources: Sequence[Source], folder: Path, progress: Progress) -> Refusals:
    """Fetch by apt, pip and archives, then from the addresses of what they do not have."""
    refused: dict[Source, list[str]] = {source: [] for source in sources}

    def count() -> str:
        return f"{len(sources) - len(refused)}/{len(sources)}"

    def show(what: str) -> None:
        progress.show(f"fetching sources {count()}: {what}")

    def add(outcomes: Outcomes) -> None:
        for source, outcome in outcomes:
            reason = _add_file(source, outcome) if isinstance(outcome, Path) else outcome
            if reason is None and nix.find_invalid([source.store_path]):
                # Nix would start the derivation's builder, which has the network.
                reason = "its derivation wants it at another path: its outputHashMode is wrong"
            if reason is not None:
                refused[source].append(reason)
                continue
            del refused[source]
            progress.say(f"[{count()}] fetched {source.label}")

    for kind, fetch in (("deb", fetch_debs), ("wheel", fetch_wheels)):
        if chosen := [source for source in sources if source.kind == kind]:
            add(fetch(chosen, Path(tempfile.mkdtemp(dir=folder)), show))
    add(_fetch_kernels([source for source in sources if source.kind == "kernel"], folder))
    add(_fetch_archives([source for source in sources if source.kind == "archive"]))
    if files := [each for each in refused if each.url and each.kind != "archive"]:
        add(_fetch_files(files, show))
    return refused


def _add_file(source: Source, arrived: Path) -> str | None:
    """Add a file if it has the pinned hash; return the reason why it is not added."""
    is_folder = arrived.is_dir()
    sha256 = nix.hash_folder(arrived, "--base16") if is_folder else hash_file(arrived)
    if sha256 != source.sha256:
        return f"another file came under this name, sha256 {sha256}"
    # The store path depends on the name.
    file = arrived.replace(arrived.with_name(source.name))
    try:
        nix.add_file(file)
    except KernelBuilderError as error:
        return f"Nix does not add it: {error}"
    if not is_folder:
        file.unlink()
    return None


def _fetch_kernels(kernels: Sequence[Source], folder: Path) -> Outcomes:
    """Download the files of kernels of the Hub, without a token: the store is open to all."""
    if not kernels:
        return
    from kernel_builder.hub.client import KERNEL, connect, list_remote, retry

    hub = connect()
    hub.token = False

    def download(kernel: Source, files: Path) -> None:
        list_remote(hub, kernel.repository, kernel.commit)
        hub.snapshot_download(
            kernel.repository, repo_type=KERNEL, revision=kernel.commit, local_dir=files
        )
        shutil.rmtree(files / ".cache")

    for kernel in kernels:
        # Other commits of a repository have the same name.
        files = Path(tempfile.mkdtemp(dir=folder), kernel.name)
        try:
            retry(partial(download, kernel, files), kernel.repository, "download from")
        except KernelBuilderError as error:
            yield kernel, str(error)
        else:
            yield kernel, files


def _fetch_files(files: Sequence[Source], show: Callable[[str], object]) -> Outcomes:
    """Let Nix download files in one call."""
    log = NixLog()

    def read(line: str) -> None:
        log.read(line)
        if transfers := log.transfers.values():
            done, total = map(sum, zip(*transfers))
            show(f"{done / 1e6:.1f}/{total / 1e6:.1f} MB of {len(transfers)} files")

    derivations = [file.derivation for file in files]
    nix.realise(derivations, read, max_jobs=DOWNLOADS_AT_ONCE, **nix.TIMEOUTS)
    invalid = nix.find_invalid([file.store_path for file in files])
    for file in files:
        reason = "\n".join(log.show_failure(file.derivation)).removeprefix("error: ")
        yield file, reason or "Nix does not say why" if file.store_path in invalid else None


def _fetch_archives(archives: Sequence[Source]) -> Outcomes:
    """Add trees, out of archives in a folder or from their addresses.

    A tree is pinned by its content, so any archive of it is good.
    """
    folder = current_settings().archives
    for archive in archives:
        names = dict.fromkeys([archive.file, PurePosixPath(urlsplit(archive.url).path).name])
        files = [Path(folder, name).absolute() for name in names if folder and name]
        failures = []
        for url in [*(file.as_uri() for file in files if file.is_file()), archive.url]:
            try:
                nix.fetch_tree(url, archive.name, archive.sha256)
            except KernelBuilderError as error:
                failures.append(f"{url}: {error}")
            else:
                failures.clear()
                break
        yield archive, "\n".join(failures) or None
