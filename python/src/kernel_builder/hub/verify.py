"""Compares what is published with what the commits that it names give, file by file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from kernel_builder.hub.changes import LocalFile
from kernel_builder.hub.published import Published, list_published, why_not
from kernel_builder.kernel.untrusted import find_system
from kernel_builder.messages.choices import find_unknown
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.variants.again import Origin, build_again, read_origin
from kernel_builder.variants.request import Limits
from kernel_builder.variants.result import (
    BENCHMARKS,
    METADATA,
    PROVENANCE,
    is_signature,
    list_beside,
    read_metadata,
)

_SYSTEM: Final = re.compile(r"-((?:aarch64|x86_64)-(?:linux|darwin|windows))$")


@dataclass
class Compared:
    """A variant that was built again: from what, and whether it was there already."""

    variant: str
    origin: str
    builder: str
    state: str


@dataclass
class Verdict:
    """What came out: the differences of each file, and why others were not compared."""

    title: str
    compared: list[Compared] = field(default_factory=list)
    same: list[str] = field(default_factory=list)
    differences: dict[str, list[str]] = field(default_factory=dict)
    not_compared: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Say whether there is something, and all of it is what its commits give."""
        return bool(self.compared) and not self.differences and not self.errors

    def as_text(self) -> str:
        """Return the verdict for people."""
        lines = [self.title]
        for each in self.compared:
            lines += [f"  {each.variant} ({each.state})", f"    built from {each.origin}"]
            lines += [f"    {each.builder}"]
        lines += ["not compared:"] if self.not_compared else []
        lines += [f"  {what}: {why}" for what, why in self.not_compared.items()]
        order = " (as published, then as built again):" if self.differences else ""
        lines.append(f"{len(self.same)} files are the same, {len(self.differences)} differ{order}")
        for path, found in self.differences.items():
            lines += [f"  {path}", *(f"    {line}" for line in found)]
        # Names are whatever was published.
        return "\n".join("".join(c if c.isprintable() else "?" for c in line) for line in lines)


def verify(
    published: Published, names: Sequence[str], source: str | None, limits: Limits
) -> Verdict:
    """Build the variants of these names again, of none all; `source` has their commits, if given.

    Raise if one of them does not say what it was built from, or if that cannot be had.
    """
    verdict = Verdict(published.title)
    groups = _group(published, names, source, verdict)
    commits = {str(each.get("provenance")) for each in published.metadata.values()}
    for origin, group in groups.items():
        with build_again(origin, group, limits) as (report, builder):
            verdict.errors += map(str, report.errors)
            built = {row.variant: row.state.value for row in report.rows if row.out}
            for name, state in built.items():
                verdict.compared.append(Compared(name, str(origin), builder, state))
            if report.bundle:
                # Of several commits, what lies beside all variants is of one.
                beside = published.is_whole and len(commits) == 1
                _compare(published, list(built), Path(report.bundle), beside, verdict)
    missed = published.metadata.keys() - {each.variant for each in verdict.compared}
    skipped = {*verdict.same, *verdict.differences}
    for path in published.paths:
        if path in skipped or path.startswith(tuple(_paths_of(missed))):
            continue
        if path.startswith(("build/", f"{PROVENANCE}/")) and not is_signature(path):
            verdict.differences[path] = ["published, and no part of a variant"]
        else:
            verdict.not_compared[path] = why_not(path)
    return verdict


def _paths_of(names: Iterable[str]) -> list[str]:
    """Return where the files of variants are on the Hub, and the lists of their sources."""
    return [start for name in names for start in (f"build/{name}/", list_beside(name)[0])]


def _group(
    published: Published, names: Sequence[str], source: str | None, verdict: Verdict
) -> dict[Origin, list[str]]:
    """Return the variants to build again by what they are built from."""
    if unknown := find_unknown("--variant", names, list(published.metadata)):
        raise UsageError(f"{published.title} has no such variants", unknown)
    here = find_system()
    groups: dict[Origin, list[str]] = {}
    problems = []
    for name, metadata in published.metadata.items():
        system = _SYSTEM.search(name)
        if names and name not in names:
            verdict.not_compared[name] = "not asked for"
        elif system and system[1] != here:
            verdict.not_compared[name] = f"this machine is {here}"
        elif isinstance(origin := read_origin(name, metadata, source), Problem):
            problems.append(origin)
        else:
            groups.setdefault(origin, []).append(name)
    if problems:
        headline = f"{len(problems)} variants do not say enough to be built again"
        raise KernelBuilderError(headline, problems)
    return groups


def _compare(
    published: Published, names: Sequence[str], result: Path, beside: bool, verdict: Verdict
) -> None:
    """Compare the files of variants with those of the bundle that was built again."""
    own = _paths_of(names) if published.is_whole else [f"build/{name}/" for name in names]
    own += [f"{BENCHMARKS}/"] if beside else []
    theirs, ours = published.fetch(names), list_published(result)
    for path in sorted({*published.paths, *ours}):
        if not path.startswith(tuple(own)) or is_signature(path):
            continue
        if path not in published.paths:
            verdict.differences[path] = ["not published"]
        elif path not in ours:
            verdict.differences[path] = ["published, and no build gives it"]
        elif path not in theirs:
            verdict.differences[path] = ["listed, and not to be had"]
        elif LocalFile(theirs[path]).sha256 == LocalFile(ours[path]).sha256:
            verdict.same.append(path)
        else:
            verdict.differences[path] = _explain(theirs[path], ours[path])


def _explain(theirs: Path, ours: Path) -> list[str]:
    """Return which keys of two metadata differ; of other files, that they do."""
    if theirs.name != METADATA:
        return [f"{theirs.stat().st_size} and {ours.stat().st_size} bytes that differ"]
    one, two = (read_metadata(file.parent) for file in (theirs, ours))
    keys = [key for key in sorted({*one, *two}) if one.get(key) != two.get(key)]
    return [f"{key} differs" for key in keys] or ["the same data in other bytes"]
