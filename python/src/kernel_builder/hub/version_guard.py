"""What an upload changes for code that uses a version: told as a table, refused if it breaks it.

The branch `v<number>` promises that code goes on working. Version 0 promises nothing, nor does a
branch of another name; there the table is all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import SequenceMatcher
from functools import cache
from itertools import product
from typing import Any, Final

from kernel_builder.hub.bundle import BuiltVariant, Bundle
from kernel_builder.hub.changes import LocalFile, list_folder
from kernel_builder.hub.client import Hub
from kernel_builder.hub.public_api import GENERATED, Api, Item, Read, read_api
from kernel_builder.hub.signatures import compare_signatures
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import complain, say
from kernel_builder.variants.result import METADATA

_VERSION: Final = re.compile(r"v([1-9][0-9]*)")
_VARIANT: Final = re.compile(rf"build/([^/]+)/{re.escape(METADATA)}")


@dataclass(frozen=True)
class ApiChange:
    """One thing that is public and differs, and whether code that uses it can fail."""

    name: str
    change: str
    breaking: bool


def compare(old: Api, new: Api) -> list[ApiChange]:
    """Return what differs between two builds, breaking or not.

    Operators are public if `ops` is. Without `__all__` nothing was promised, so names that are
    still there may be left out of a first one.
    """
    changes = [
        ApiChange(each.name, "is there, but not in __all__", breaking=False)
        if each.breaking and not old.listed and each.name in new.names - new.items.keys()
        else each
        for each in _compare(old.items, new.items)
    ]
    if old.operators is not None and new.operators is not None:
        for each in _compare(old.operators, new.operators):
            public = "ops" in old.items
            change = each.change if public else f"{each.change} (ops is not public)"
            changes.append(ApiChange(each.name, change, each.breaking and public))
    return changes


def _compare(old: Mapping[str, Item], new: Mapping[str, Item]) -> Iterator[ApiChange]:
    settled: list[str] = []
    for name in dict.fromkeys((*old, *new)):
        was, now = old.get(name), new.get(name)
        if any(name.startswith(f"{above}.") for above in settled):
            continue
        if was is None or now is None or was.kind != now.kind:
            settled.append(name)
        if was is None:
            yield ApiChange(name, "is new", breaking=False)
        elif now is None:
            yield ApiChange(name, f"{was.kind} is gone", breaking=True)
        elif was.kind != now.kind:
            # Of what is computed, nothing is known.
            known = "value" not in (was.kind, now.kind)
            yield ApiChange(name, f"is a {now.kind}, was a {was.kind}", known)
        elif was.value != now.value:
            yield ApiChange(name, f"is {now.value}, was {was.value}", now.value == "False")
        elif was.signature and now.signature:
            for change, breaking in compare_signatures(was.signature, now.signature):
                yield ApiChange(name, change, breaking)


@dataclass
class VersionGuard:
    """Looks at what is published on the branch that the variants of a bundle go to."""

    bundle: Bundle
    repo_id: str
    branch: str
    changes: Sequence[ApiChange] = field(default_factory=list)

    def as_data(self) -> list[dict[str, Any]]:
        """Return the changes as they go into JSON."""
        return [asdict(change) for change in self.changes]

    def check(self, hub: Hub, commit: str, there: Mapping[str, str]) -> None:
        """Tell what differs from a commit, which has the files `there`; raise if that breaks.

        One published variant is read, that whose name is the closest to one of the bundle's.
        Of its files those that are not the same here are fetched, as far as they matter.
        """
        published = sorted({found[1] for path in there if (found := _VARIANT.fullmatch(path))})
        if not published:
            return
        mine, theirs = max(product(self.bundle.variants, published), key=_alikeness)
        files = {path[1:]: file for path, file in list_folder(mine.folder, "").items()}
        at = f"build/{theirs}"

        def read_mine(path: str) -> bytes | None:
            return files[path].source.read_bytes() if path in files else None

        @cache
        def read_theirs(path: str) -> bytes | None:
            name = there.get(f"{at}/{path}")
            if name and path in files and files[path].is_called(name):
                return read_mine(path)
            return hub.read(commit, f"{at}/{path}") if name else None

        try:
            new = _read(read_mine, mine.metadata)
        except (SyntaxError, ValueError) as error:
            fix = "correct it in the kernel, and build again"
            problem = Problem(f"{mine.name}, {_place(error)}", str(error), "Python", fix)
            raise KernelBuilderError(f"{mine.name} cannot be read", [problem]) from None
        try:
            metadata = json.loads(read_theirs(METADATA) or b"")
            old = _read(read_theirs, metadata)
        except (SyntaxError, ValueError) as error:
            where = f"{at}, {_place(error)}"
            complain("warning", f"{self.branch} is not compared with this build: {where}: {error}")
            return
        told = self.changes
        if _backend_of(metadata) != _backend_of(mine.metadata):
            old = replace(old, operators=None)
        # What is found again to be there may be of this very upload.
        self.changes = compare(old, new) or told
        if self.changes != told or not told:
            self._tell(at, old, new)
        self._judge(at)
        self._warn_of_others(set(published), there, files)

    def _tell(self, at: str, old: Api, new: Api) -> None:
        if not self.changes:
            say(f"{self.branch}: {len(new.items)} public names, none of them different in {at}")
        else:
            rows = [
                (each.name, "breaking" if each.breaking else "compatible", each.change)
                for each in self.changes
            ]
            widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
            lines = [f"  {name:<{widths[0]}}  {kind:<{widths[1]}}  {c}" for name, kind, c in rows]
            say("\n".join([f"{self.branch}, compared with {at}:", *lines]))
        unknown = [
            where for where, api in ((at, old), ("this build", new)) if api.operators is None
        ]
        if unknown and (len(unknown) == 1 or "ops" in old.items):
            why = f"{unknown[0]} states none for this backend"
            say(f"{self.branch}: operators are not compared: {why}")

    def _judge(self, at: str) -> None:
        broken = "\n".join(f"{each.name}: {each.change}" for each in self.changes if each.breaking)
        version = _VERSION.fullmatch(self.branch)
        if broken and not version:
            complain("warning", f"code that uses {self.branch} can fail; it promises nothing else")
        elif broken and version:
            fix = (
                f"state version = {int(version[1]) + 1} in [general] of build.toml and build again "
                "(it goes to a branch of its own), or put back what is missing"
            )
            want = f"what code that uses version {version[1]} may call, as it was"
            problem = Problem(f"{self.repo_id}, branch {self.branch}, {at}", broken, want, fix)
            headline = f"this would break code that uses version {version[1]} of {self.repo_id}"
            raise KernelBuilderError(headline, [problem])

    def _warn_of_others(
        self, published: set[str], there: Mapping[str, str], files: Mapping[str, LocalFile]
    ) -> None:
        """Warn of variants that stay as they are, though code may soon rely on what is new."""
        others = published - {variant.name for variant in self.bundle.variants}
        python = {p: f for p, f in files.items() if p.endswith(".py") and p != f"{GENERATED}.py"}
        old = [
            name
            for name in sorted(others)
            if any(
                not file.is_called(there.get(f"build/{name}/{path}", ""))
                for path, file in python.items()
            )
        ]
        if self.changes and old and _VERSION.fullmatch(self.branch):
            what = f"what is new is not in these variants of {self.branch}, which stay"
            fix = "upload them, too, or state a new version: code that uses it fails with them"
            complain("warning", f"{what}: {', '.join(old)}; {fix}")


def _alikeness(pair: tuple[BuiltVariant, str]) -> float:
    return SequenceMatcher(None, pair[0].name, pair[1]).ratio()


def _read(read: Read, metadata: Any) -> Api:
    """Return what a variant offers."""
    if not isinstance(metadata, dict):
        raise ValueError("no object")
    # Variants of older tools have all of it in a folder of the kernel's name.
    name = str(metadata.get("name", "")).replace("-", "_")
    below = "" if read("__init__.py") is not None else f"{name}/"
    stated = metadata.get("operators")
    operators = [str(each) for each in stated] if isinstance(stated, list) else None
    return read_api(lambda path: read(below + path), operators)


def _backend_of(metadata: dict[str, Any]) -> Any:
    backend = metadata.get("backend")
    return backend.get("type") if isinstance(backend, dict) else backend


def _place(error: Exception) -> str:
    """Return the file and line of an error."""
    if not isinstance(error, SyntaxError):
        return METADATA
    return f"{error.filename}:{error.lineno}" if error.lineno else str(error.filename)
