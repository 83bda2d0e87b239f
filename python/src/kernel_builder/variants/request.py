"""What is asked of a build: which variants, and how; what the options of the commands say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """How to build; None leaves a limit to this program or to Nix."""

    print_logs: bool = False
    max_jobs: int | None = None
    cores: int | None = None
    keep_failed: bool = False
    archives: str | None = None
    keep: str | None = None
    dry_run: bool = False
    max_size: int | None = None


@dataclass(frozen=True)
class Choice:
    """Which variants to build, and whether all have to be there; `system` None is this one."""

    names: Sequence[str] = ()
    backends: Sequence[str] = ()
    system: str | None = None
    require_all: bool = False
    # Capabilities and the like, where those are built for these alone.
    targets: Sequence[str] = ()
