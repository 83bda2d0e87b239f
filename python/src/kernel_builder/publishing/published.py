"""Reads the variants that a branch on the Hub has, and finds files that are damaged.

All of it may come from a stranger. Large files are not fetched, since the Hub states their SHA-256;
of equal small ones, one is fetched.
"""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from huggingface_hub import HfApi
from huggingface_hub.errors import HfHubHTTPError, RepositoryNotFoundError

from kernel_builder.hub.bundle import LISTED
from kernel_builder.hub.client import KERNEL, connect, download, list_remote, retry
from kernel_builder.machine.files import MAX_TEXT_BYTES, read_file
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.variants.result import (
    METADATA,
    SIGNATURE,
    hash_as_stated,
    list_records,
    list_strays,
)

# Of all files that are fetched from a branch.
MAX_BYTES: Final = 2**30
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_RELEASE: Final = re.compile(r"[\w.+-]{1,40}", re.ASCII)
_OF_VARIANT: Final = re.compile(r"build/[^/]+/")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")
_VERSION: Final = re.compile(r"v[0-9]{1,9}")


@dataclass(frozen=True)
class Published:
    """A variant on the Hub: what its metadata states, and how its files differ from that.

    `commit` is the kernel's, `digests` is right, wrong or none. A text that is not known is empty.
    """

    commit: str = ""
    dirty: bool = False
    builder: str = ""
    date: str = ""
    digests: str = ""
    damage: Sequence[str] = ()


@dataclass(frozen=True)
class Branch:
    """A branch with its newest commit and its variants by name; `lacks` says why there is none.

    `stated` has the metadata of each variant, whatever that may be.
    """

    name: str
    head: str = ""
    variants: Mapping[str, Published] = field(default_factory=dict)
    stated: Mapping[str, Any] = field(default_factory=dict)
    lacks: str = ""


def read_branch(repo_id: str, name: str) -> Branch:
    """Return a branch of a repository; without a name, that of the newest version.

    Raises KernelBuilderError if the Hub does not answer as it should.
    """
    with TemporaryDirectory(prefix="kernel-builder-") as folder:
        return retry(lambda: _read(repo_id, name, Path(folder)), repo_id, "download from")


def _read(repo_id: str, name: str, folder: Path) -> Branch:
    hub = connect()
    try:
        refs = hub.list_repo_refs(repo_id, repo_type=KERNEL)
    except RepositoryNotFoundError:
        return Branch(name, lacks=f"{repo_id} is not on the Hub, or not for you")
    heads = {each.name: each.target_commit for each in refs.branches}
    name = name or max(filter(_VERSION.fullmatch, heads), key=lambda v: int(v[1:]), default="main")
    if name not in heads:
        return Branch(name, lacks=f"{repo_id} has no branch {name}")
    place = {"repo_id": repo_id, "repo_type": KERNEL, "revision": heads[name]}
    remote = list_remote(hub, repo_id, heads[name])
    files = _fetch(hub, place, remote, folder)
    hashes = {path: _hash(each, files.get(each.blob_id)) for path, each in remote.items()}
    dates = _read_dates(hub, place)
    found, stated = {}, {}
    of_variants = [path for path in remote if path.startswith(("build/", "provenance/"))]
    names = sorted({path.split("/")[1] for path in of_variants if _OF_VARIANT.match(path)})
    for variant in names:
        entry = remote.get(f"build/{variant}/{METADATA}")
        metadata = stated[variant] = _read_json(files.get(entry.blob_id)) if entry else None
        damage = sorted(_find_damage(variant, metadata, hashes))
        found[variant] = _describe(metadata, damage, dates.get(f"build/{variant}", ""))
    for path in list_strays(of_variants, names):
        found[path] = Published(damage=("of no variant here",))
    return Branch(name, heads[name], found, stated)


def _fetch(
    hub: HfApi, place: Mapping[str, Any], remote: Mapping[str, Any], folder: Path
) -> dict[str, Path]:
    """Fetch what the Hub states no SHA-256 of, and metadata; return files by git's hash of them."""
    small = {
        each.blob_id: path for path, each in remote.items()
        if path.startswith(("build/", "provenance/")) and each.size <= MAX_TEXT_BYTES
        and (each.lfs is None or path.endswith(f"/{METADATA}"))
    }  # fmt: skip
    download(hub, place, {path: remote[path] for path in small.values()}, folder, MAX_BYTES)
    return {blob: folder / path for blob, path in small.items()}


def _hash(entry: Any, file: Path | None) -> str | None:
    """Return a file's SHA-256 in base64; None if it was not fetched, since it is too large."""
    if entry.lfs:
        return base64.b64encode(bytes.fromhex(_match(_SHA256, entry.lfs.sha256))).decode()
    return hash_as_stated(file) if file else None


def _read_dates(hub: HfApi, place: Mapping[str, Any]) -> dict[str, str]:
    """Return the day of the last change of each folder of a variant, if the Hub says it."""
    with suppress(HfHubHTTPError):
        listed = [*hub.list_repo_tree(**place, path_in_repo="build", expand=True)]
        return {it.path: str(it.last_commit.date.date()) for it in listed if it.last_commit}
    return {}


def _read_json(file: Path | None) -> Any:
    with suppress(ValueError, RecursionError, KernelBuilderError):
        return json.loads(read_file(file)) if file else None


def _find(data: Any, *keys: str) -> Any:
    """Return the value at a path of keys, None if anything on the way is no object."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _match(pattern: re.Pattern[str], value: Any) -> str:
    return value if isinstance(value, str) and pattern.fullmatch(value) else ""


def _find_damage(variant: str, metadata: Any, hashes: Mapping[str, str | None]) -> Iterator[str]:
    """Yield files that are missing, new, or not as the metadata states; `hashes` are of all files.

    Without digests in the metadata, nothing is known of the files beside it.
    """
    stated, prefix = _find(metadata, "digest", "files"), f"build/{variant}/"
    if not isinstance(metadata, dict) or ("digest" in metadata and not isinstance(stated, dict)):
        yield METADATA
    if isinstance(stated, dict):
        there = {path[len(prefix) :]: hashes[path] for path in hashes if path.startswith(prefix)}
        for name in {*stated, *there} - {METADATA, SIGNATURE}:
            if there.get(name) is None or stated.get(name) != there[name]:
                yield name
    listed = list_records(variant)[0]
    known = {"algorithm": "sha256", "digest": hashes.get(listed)}
    if _find(metadata, LISTED) not in (None, known):
        yield listed


def _describe(metadata: Any, damage: Sequence[str], date: str) -> Published:
    builder, kernel = (_find(metadata, "provenance", who) for who in ("kernel-builder", "kernel"))
    release = _match(_RELEASE, _find(builder, "version"))
    commit = _match(_COMMIT, _find(builder, "commit"))[:12]
    return Published(
        commit=_match(_COMMIT, _find(kernel, "commit")),
        dirty=bool(_find(kernel, "dirty") or _find(builder, "dirty")),
        builder=f"{release} {commit}".strip(),
        date=date,
        digests="wrong" if damage else "right" if _find(metadata, "digest") else "none",
        damage=damage,
    )
