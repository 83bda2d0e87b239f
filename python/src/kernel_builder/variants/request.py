"""The request for a build: its variants, and how to build them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits and options of a build.

    `max_jobs` is the number of steps that run here at once (None: as many as fit into memory; 0:
    remote builders do all), `cores` the number of cores for each step (None: those that no other
    step has), `archives` the folder or the mirror of source trees. `dry_run` builds nothing.
    """

    print_logs: bool = False
    max_jobs: int | None = None
    cores: int | None = None
    keep_failed: bool = False
    archives: str | None = None
    dry_run: bool = False


@dataclass(frozen=True)
class Choice:
    """The variants to build: the union of `names` and of all variants of `backends`.

    Without either, all variants that bundles have. `require_all` makes a variant that has to be
    left out an error. `system` is None for this machine's system; `targets` are capabilities or
    architectures, such as `9.0` or `gfx942`, to build for alone.
    """

    names: Sequence[str] = ()
    backends: Sequence[str] = ()
    system: str | None = None
    require_all: bool = False
    targets: Sequence[str] = ()
