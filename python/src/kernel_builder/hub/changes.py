"""What has to change on the Hub, and in which commits: pure functions, nothing is sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from kernel_builder.hub.files import LocalFile, Part, RemoteFile, total_size
from kernel_builder.variants.result import METADATA

# Within what the Hub takes in one commit before it times out.
FILES_A_COMMIT: Final = 100
BYTES_A_COMMIT: Final = 64 * 1024 * 1024
# Larger ones are uploaded on their own, before the commit.
SMALL: Final = 10 * 1024 * 1024


@dataclass
class Change:
    """Files to write, and paths to remove, of some parts."""

    parts: tuple[str, ...]
    add: dict[str, LocalFile] = field(default_factory=dict)
    remove: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.add or self.remove)

    @property
    def weight(self) -> int:
        """The bytes that travel in the commit itself."""
        return total_size(file for file in self.add.values() if file.size <= SMALL)


def compare(parts: Sequence[Part], remote: Mapping[str, RemoteFile]) -> list[Change]:
    """Return a change for each part that is not on the Hub as it is here."""
    changes = []
    for part in parts:
        change = Change(
            (part.name,),
            {
                path: file
                for path, file in part.files.items()
                if path not in remote or not remote[path].is_same(file)
            },
            sorted(path for path in remote if part.owns(path) and path not in part.files),
        )
        if change:
            changes.append(change)
    return changes


def plan_commits(changes: Sequence[Change]) -> list[Change]:
    """Return the same changes in commits of bounded size.

    A part changes in one commit, so that nobody ever gets a mixture of two builds, unless it is
    too large for that; then its metadata, which clients read first, comes last.
    """
    commits: list[Change] = []
    for change in changes:
        if _is_too_large(change):
            commits += _split(change)
        elif commits and not _is_too_large(joined := _join(commits[-1], change)):
            commits[-1] = joined
        else:
            commits.append(change)
    return commits


def _is_too_large(change: Change) -> bool:
    return len(change.add) > FILES_A_COMMIT or change.weight > BYTES_A_COMMIT


def _join(one: Change, other: Change) -> Change:
    return Change(
        (*one.parts, *other.parts), {**one.add, **other.add}, [*one.remove, *other.remove]
    )


def _split(change: Change) -> Iterator[Change]:
    ordered = sorted(change.add, key=lambda path: (path.endswith(f"/{METADATA}"), path))
    commit = Change(change.parts)
    for path in ordered:
        larger = Change(change.parts, {**commit.add, path: change.add[path]})
        if commit and _is_too_large(larger):
            yield commit
            larger = Change(change.parts, {path: change.add[path]})
        commit = larger
    commit.remove = change.remove
    yield commit
