"""Units with device code of one kernel, and which of them are compiled whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from kernel_builder.nix.quoting import nix_string
from tests.evaluation import ROOT, SYSTEM, NixError, evaluate, path_of
from tests.published.comparing import HERE, headline


@dataclass(frozen=True)
class Units:
    """Sources, each with the reason for which it is compiled whole, or None.

    `error` is what Nix said of a kernel that cannot be read.
    """

    variant: str = ""
    units: dict[str, str | None] = field(default_factory=dict)
    error: str | None = None


def read_units(kernel: Path, backend: str = "cuda", root: Path = ROOT) -> Units:
    """Read the units of the newest variant of a backend; a kernel without one has none."""
    asked = (
        f"import {path_of(HERE / 'units.nix')} {{ root = {path_of(root)}; "
        f"kernel = {path_of(kernel)}; system = {nix_string(SYSTEM)}; "
        f"backend = {nix_string(backend)}; }}"
    )
    try:
        found = evaluate(asked)
    except NixError as error:
        return Units(error=headline(str(error)))
    if found is None:
        return Units()
    return Units(found["variant"], {unit["source"]: unit["whole"] for unit in found["units"]})
