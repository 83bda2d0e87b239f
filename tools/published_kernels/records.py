"""The record of each published kernel: its variants and builds, compared with an earlier record."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from kernel_builder.messages.errors import Problem

FILE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "published.json"
# From the worst to the best. A variant whose sources this machine cannot fetch is neither compared
# nor recorded.
LEFT_OUT = "left out"
STATES = (LEFT_OUT, "failed", "built", "imported")
# Words of pytest's last line, and of a run that has none.
FAILS = re.compile(r"\b(?:failed|errors?)\b")
FIX = "find the commit that did it (git bisect run); if it is meant: --renew"


@dataclass(frozen=True)
class Build:
    """The build of one variant; `seconds` are those of the command that ended it.

    `tested` is what pytest says of the kernel's own tests, None if they were not run.
    """

    variant: str
    state: str
    seconds: float
    bytes: int | None = None
    capability: str | None = None
    error: str | None = None
    tested: str | None = None

    @property
    def fails_tests(self) -> bool:
        """Whether a test of the kernel failed, or could not be run."""
        return FAILS.search(self.tested or "") is not None


@dataclass(frozen=True)
class Record:
    """One kernel; `error` is Nix's message if it cannot be evaluated.

    `variants` are those of all systems that have a derivation, `units` the number of units in the
    newest variant of each backend. `whole` counts, by the reason, the units of these variants that
    one call compiles for all targets. `builds` has the build of each backend.
    """

    name: str
    error: str | None = None
    variants: tuple[str, ...] = ()
    units: Mapping[str, int] = field(default_factory=dict)
    whole: Mapping[str, int] = field(default_factory=dict)
    builds: Mapping[str, Build] = field(default_factory=dict)


@dataclass(frozen=True)
class Records:
    """The records of a folder of kernels; `commit` is that of the kernels, if it is known."""

    source: str
    commit: str | None
    kernels: Mapping[str, Record]


def read_records(file: Path) -> Records:
    """Read the records that `write_records` wrote; a file that does not exist has none."""
    if not file.exists():
        return Records("", None, {})
    data = json.loads(file.read_text())
    kernels = {}
    for each in data["kernels"]:
        builds = {backend: Build(**build) for backend, build in each.pop("builds", {}).items()}
        variants = tuple(each.pop("variants", ()))
        kernels[each["name"]] = Record(**each, variants=variants, builds=builds)
    return Records(data["source"], data["commit"], kernels)


def write_records(file: Path, records: Records) -> None:
    """Write records, one to a line, without empty fields."""
    lines = ",\n".join(json.dumps(as_data(each)) for _, each in sorted(records.kernels.items()))
    head = f'"source": {json.dumps(records.source)},\n"commit": {json.dumps(records.commit)}'
    file.write_text(f'{{\n{head},\n"kernels": [\n{lines}\n]\n}}\n')


def as_data(record: Record) -> dict[str, Any]:
    """Return a record as it goes into JSON."""
    data = _without_empty(asdict(record))
    builds = {backend: _without_empty(asdict(each)) for backend, each in record.builds.items()}
    return {**data, "builds": builds} if builds else data


def _without_empty(data: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in data.items() if value or value == 0}


def merge(known: Record | None, found: Record) -> Record:
    """Return the record to keep: builds that were not tried now, and times of real builds, stay."""
    if found.error:
        return found
    builds = {**known.builds} if known else {}
    for backend, build in found.builds.items():
        earlier = builds.get(backend)
        if build.state == LEFT_OUT:
            continue
        if earlier and _is_same(earlier, build) and build.seconds < earlier.seconds:
            # Most of it was in the store already.
            build = replace(build, seconds=earlier.seconds)
        if earlier and build.tested is None:
            build = replace(build, tested=earlier.tested)
        builds[backend] = build
    return Record(found.name, None, found.variants, found.units, found.whole, builds)


def _rank(build: Build) -> int:
    return STATES.index(build.state)


def _is_same(one: Build, other: Build) -> bool:
    return (one.variant, one.capability, one.state) == (
        other.variant,
        other.capability,
        other.state,
    )


def find_worse(known: Record | None, found: Record) -> list[Problem]:
    """Return a problem for each thing that got worse.

    A kernel that nothing is known of has to be evaluated, built and imported.
    """
    name = found.name
    if found.error:
        broken = known is not None and known.error is not None
        return [] if broken else [Problem(name, found.error, "a kernel that evaluates", FIX)]
    problems = []
    if gone := sorted(set(known.variants if known else ()) - set(found.variants)):
        problems.append(Problem(name, "\n".join(gone), "these variants, as before", FIX))
    whole = sum(found.whole.values())
    if known and not known.error and whole > sum(known.whole.values()):
        reasons = "; ".join(f"{count} because of {why}" for why, count in found.whole.items())
        want = f"at most {sum(known.whole.values())} units that are compiled whole"
        problems.append(Problem(name, reasons, want, FIX))
    for backend, build in found.builds.items():
        earlier = known.builds.get(backend) if known else None
        wanted = earlier or Build(build.variant, "built", 0)
        if build.state != LEFT_OUT and _rank(build) < _rank(wanted):
            reason = f"{build.state}: {build.error}" if build.error else build.state
            problems.append(Problem(f"{name} {build.variant}", reason, wanted.state, FIX))
        if build.fails_tests and not wanted.fails_tests:
            want = wanted.tested or "tests that pass"
            problems.append(Problem(f"{name} {build.variant}", build.tested or "", want, FIX))
    return problems


def find_better(known: Record, found: Record) -> list[str]:
    """Return a line for each thing that got better."""
    if found.error:
        return []
    if known.error:
        return [f"{found.name} evaluates now"]
    lines = []
    if new := set(found.variants) - set(known.variants):
        lines.append(f"{found.name} has {len(new)} more variants")
    if sum(found.whole.values()) < sum(known.whole.values()):
        lines.append(f"{found.name} has fewer units that are compiled whole")
    for backend, build in found.builds.items():
        earlier = known.builds.get(backend)
        if earlier and _rank(build) > _rank(earlier):
            lines.append(f"{found.name} {build.variant} is {build.state} now")
    return lines


def find_gone(known: Records, found: Iterable[str]) -> list[Problem]:
    """Return a problem for each kernel that is not in the folder any more."""
    gone = sorted(known.kernels.keys() - set(found))
    return [Problem(name, "no such folder", "a kernel, as before", FIX) for name in gone]


def format_table(records: Iterable[Record]) -> str:
    """Return a Markdown table with a line for each kernel."""
    kernels = sorted(records, key=lambda each: each.name)
    tried = Counter(backend for each in kernels for backend in each.builds)
    head = ["kernel", "variants", "units", *sorted(tried)]
    lines = [_row(head), "|---|---|---|" + "---|" * len(tried)]
    for each in kernels:
        if each.error:
            lines.append(_row([each.name, f"none: {each.error}", *[""] * (1 + len(tried))]))
            continue
        most = max(each.units.values(), default=0)
        builds = [describe_build(each.builds.get(backend)) for backend in sorted(tried)]
        lines.append(_row([each.name, str(len(each.variants)), str(most or "none"), *builds]))
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"


def describe_build(build: Build | None) -> str:
    """Return a build as a cell of the table."""
    if build is None:
        return ""
    size = [] if build.bytes is None else [_format_size(build.bytes)]
    error = [] if build.error is None else [build.error]
    target = [] if build.capability is None else [f"for {build.capability}"]
    tested = [] if build.tested is None else [f"tests: {build.tested}"]
    return ", ".join([build.state, *target, f"{build.seconds:.0f} s", *size, *error, *tested])


def _format_size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e5 else f"{count / 1e3:.0f} kB"
