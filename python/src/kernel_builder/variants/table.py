"""The request for a build, and the outcome of each variant, as data and as the closing table."""

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, TextIO

from kernel_builder.kernel.manifest import Variant
from kernel_builder.machine.files import list_files
from kernel_builder.messages.errors import shorten
from kernel_builder.messages.terminal import paint

UNITS_SHOWN: Final = 3


@dataclass(frozen=True)
class Choice:
    """The variants to build: the union of `names` and of all variants of `backends`.

    Without either, all variants that bundles have. `here` stands for the best one for this machine
    whose sources can be had. `require_all` makes a variant that has to be
    left out an error. `system` is None for this machine's system; `targets` are capabilities or
    architectures, such as `9.0` or `gfx942`, to build for alone. `dry_run` builds nothing.

    `select` returns the names of the variants that are needed of a kernel, among those above.
    """

    names: Sequence[str] = ()
    backends: Sequence[str] = ()
    system: str | None = None
    require_all: bool = False
    targets: Sequence[str] = ()
    dry_run: bool = False
    here: bool = False
    select: Callable[..., Sequence[str]] | None = None


class State(StrEnum):
    """The outcome of a variant."""

    BUILT = "built"
    FETCHED = "fetched"
    CACHED = "cached"
    LEFT_OUT = "left out"
    FAILED = "failed"
    TO_BUILD = "to build"
    TO_FETCH = "to fetch"
    UP_TO_DATE = "up to date"


AVAILABLE: Final = (State.BUILT, State.FETCHED, State.CACHED)
COLOURS: Final = {State.FAILED: "red"} | dict.fromkeys((*AVAILABLE, State.UP_TO_DATE), "green")


@dataclass(frozen=True)
class Row:
    """The outcome of one variant; `size` is in bytes, `unchecked` why it was not imported.

    A kernel of which nothing is built has a row without a variant.
    """

    variant: str
    backend: str
    state: State
    why: str = ""
    out: str | None = None
    size: int | None = None
    unchecked: str = ""


def make_row(variant: Variant, states: Mapping[str, tuple[State, str]]) -> Row:
    """Return the outcome of a variant; `states` are those of a run."""
    name, backend = variant["name"], variant["backend"]
    if "drv" not in variant:
        return Row(name, backend, State.LEFT_OUT, variant["unavailable"])
    state, why = states[variant["drv"]]
    partial, other = " ".join(variant.get("partial", ())), variant.get("insteadOf")
    instead = f"Torch {variant['torch']} instead of {other}, which cannot be had here"
    why = "; ".join(filter(None, (other and instead, partial and f"partial: {partial}", why)))
    if state not in AVAILABLE:
        return Row(name, backend, state, why)
    full = list_fallbacks(variant.get("reports", ()))
    whole, versions = variant.get("whole", ()), variant.get("importedWith", ())
    notes = {"compiled whole": whole, "full headers": full, "imported with": versions}
    shown = (f"{note}: {', '.join(shorten(of, UNITS_SHOWN))}" for note, of in notes.items() if of)
    why = "; ".join(filter(None, (why, *shown)))
    size = measure_size(Path(variant["out"]))
    return Row(name, backend, state, why, variant["out"], size, variant.get("notImported") or "")


def list_fallbacks(reports: Iterable[str]) -> list[str]:
    """Return the units whose device code needed Torch's full headers.

    `reports` are files that compiles write beside their objects. The objects of a variant that
    was fetched whole need not be in the store, so files that are missing are ignored.
    """
    read = (json.loads(each.read_bytes()) for each in map(Path, reports) if each.is_file())
    parts = (part for parts in read for part in parts)
    full = (each for each in parts if each["headers"] == "full" and each["part"] != "host")
    return list(dict.fromkeys(each["unit"] for each in full))


def measure_size(path: Path) -> int:
    """Return the bytes of a file, or of all files below a folder; 0 in another machine's store."""
    if not os.path.lexists(path):
        return 0
    files = list_files(path).values() if path.is_dir() else [path]
    return sum(file.lstat().st_size for file in files)


def format_size(size: int) -> str:
    """Return a number of bytes for people."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"


def format_table(rows: Sequence[Row], stream: TextIO, kernels: Sequence[str] = ()) -> str:
    """Return the table as text, in colours if `stream` is a terminal.

    `kernels` are the names of several kernels, one for each row.
    """
    if not rows:
        return ""
    lines = [("variant", "state", "size", "why")]
    for row in rows:
        unchecked = row.unchecked and f"no import check: {row.unchecked}"
        size = "" if row.size is None else format_size(row.size)
        why = "; ".join(filter(None, (row.why, unchecked)))
        lines.append((row.variant, row.state, size, why))
    columns = [("kernel", *kernels)] if kernels else []
    columns += zip(*lines)
    widths = [max(map(len, column)) for column in columns]
    colours = [None, *(COLOURS.get(row.state, "yellow") for row in rows)]
    texts = []
    for line, colour in zip(zip(*columns), colours):
        *names, state, size, why = (f"{text:{width}}" for text, width in zip(line, widths))
        shown = paint(state, colour, stream) if colour else state
        texts.append("  ".join([*names, shown, size.strip().rjust(len(size)), why]).rstrip())
    return "\n".join(texts)
