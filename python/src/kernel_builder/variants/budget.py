"""Refuses variants that are larger than they may be, and says what is large in them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.quoting import nix_list
from kernel_builder.variants.fatbin import count_bytes
from kernel_builder.variants.sizes import format_size
from kernel_builder.variants.table import Row

# So many parts of a variant are named.
NAMED: Final = 5
_OBJECTS: Final = (
    "all: map (name: map (object: { unit = object.source; path = object.outPath; }) "
    "(all.${name}.objects or [ ])) "
)


def refuse_large(kernel: Kernel, rows: Sequence[Row], most: int) -> list[KernelBuilderError]:
    """Return what has to be said of variants that have more than `most` bytes."""
    large = [row for row in rows if (row.size or 0) > most]
    if not large:
        return []
    objects = kernel.evaluate("redistributable", _OBJECTS + nix_list(row.variant for row in large))
    problems = [
        Problem(
            at=row.variant,
            found="\n".join(_describe(row, {Path(e["path"]): e["unit"] for e in compiled})),
            want=f"at most {format_size(most)}",
            fix="compile for fewer targets, leave out what is not needed, or raise --max-size",
        )
        for row, compiled in zip(large, objects)
    ]
    count = "a variant is" if len(large) == 1 else f"{len(large)} variants are"
    return [KernelBuilderError(f"{count} larger than --max-size", problems)]


def _describe(row: Row, units: dict[Path, str]) -> list[str]:
    """Return lines with a variant's size, and its largest parts."""
    variant = Path(row.out or "")
    if not all(path.exists() for path in units):
        # Compiled elsewhere: what is left of units is the extension.
        units = {path: path.name for path in variant.rglob("*.so")}
    parts: Counter[str] = Counter()
    for path, unit in units.items():
        for part, size in count_bytes(path.read_bytes()).items():
            parts[f"{unit} for {part}"] += size
    for path in variant.rglob("*"):
        if path.is_file() and path.suffix != ".so":
            parts[path.relative_to(variant).as_posix()] += path.stat().st_size
    lines = [f"{format_size(size)}  {part}" for part, size in parts.most_common(NAMED)]
    return [f"{format_size(row.size or 0)}, of which", *lines]
