"""Compare the variants of one kernel with those of the existing tool."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.evaluation import ROOT, NixError, evaluate, path_of

HERE = Path(__file__).parent
TABLE = HERE / "table.json"


@dataclass(frozen=True, order=True)
class Place:
    """A variant of one system; names of those without compiled code have no system."""

    system: str
    name: str

    def __str__(self) -> str:
        return self.name if self.system in self.name else f"{self.name} ({self.system})"


@dataclass(frozen=True)
class Comparison:
    """One kernel; `error` is what Nix said, where it cannot be compared.

    `missing` and `not_bundled` are differences: variants that their table gives and we lack, and
    those that only their bundles have. `unexplained` are ours that theirs lacks for no reason;
    `extras` has the others by their reason.
    """

    kernel: str
    shared: tuple[Place, ...] = ()
    missing: tuple[Place, ...] = ()
    not_bundled: tuple[Place, ...] = ()
    unexplained: tuple[Place, ...] = ()
    extras: dict[str, tuple[Place, ...]] | None = None
    error: str | None = None

    @property
    def is_same(self) -> bool:
        """Whether nothing differs but by extras."""
        return not (self.error or self.missing or self.not_bundled or self.unexplained)


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))[:2]


def _reason(variant: dict[str, Any], bundled: list[str], backends: list[str]) -> str | None:
    """Return why a variant of ours may be one that theirs lacks, or None."""
    torch = _number(variant["torch"])
    if variant["backend"] not in backends:
        return "backends without a row in their table"
    if torch < min(map(_number, bundled)):
        return "older Torch"
    if torch > max(map(_number, bundled)):
        return "newer Torch"
    # Here one build of theirs serves for every Torch with that toolkit.
    if variant["name"].startswith("tvm-ffi"):
        return "toolkits that their table has without TVM FFI"
    return None


def _places(variants: list[dict[str, Any]]) -> dict[Place, dict[str, Any]]:
    return {Place(variant["system"], variant["name"]): variant for variant in variants}


def headline(stderr: str) -> str:
    """Return Nix's message, with the first of its problems on one line."""
    found = re.split(r"^ *error: ", stderr, flags=re.MULTILINE)[-1]
    lines = [line.strip() for line in found.splitlines()]
    problem = [line for line in lines if re.match(r"(at|found) {2,}", line)][:2]
    return "; ".join([lines[0], *(re.sub(r"^\w+ +", "", line) for line in problem)])


def kernels_in(folder: Path) -> list[Path]:
    """Return the kernel that a folder is, or those in it."""
    if (folder / "build.toml").is_file():
        return [folder]
    return sorted(file.parent for file in folder.glob("*/build.toml"))


def compare_kernel(kernel: Path, table: Path = TABLE, root: Path = ROOT) -> Comparison:
    """Compare the variants of the kernel in a folder.

    `table` is a JSON file as table.json, or the Nix file of the existing tool; `root` is the
    kernel-builder.
    """
    asked = (
        f"import {path_of(HERE / 'variants.nix')} {{ root = {path_of(root)}; "
        f"kernel = {path_of(kernel)}; table = {path_of(table)}; }}"
    )
    try:
        found = evaluate(asked)
    except NixError as error:
        return Comparison(kernel.name, error=headline(str(error)))
    if found["theirs"] is None:
        return Comparison(
            kernel.name, error="the existing tool reads no file without general.backends"
        )
    theirs, ours = _places(found["theirs"]), _places(found["ours"])
    beyond = {
        place: _reason(ours[place], found["bundled"], found["backends"])
        for place in sorted(ours.keys() - theirs.keys())
    }
    extras: dict[str, tuple[Place, ...]] = {}
    for place, reason in beyond.items():
        if reason is not None:
            extras[reason] = (*extras.get(reason, ()), place)
    shared = sorted(ours.keys() & theirs.keys())
    return Comparison(
        kernel=kernel.name,
        shared=tuple(shared),
        missing=tuple(sorted(theirs.keys() - ours.keys())),
        not_bundled=tuple(
            place for place in shared if theirs[place]["bundle"] and not ours[place]["bundle"]
        ),
        unexplained=tuple(place for place, reason in beyond.items() if reason is None),
        extras=extras,
    )
