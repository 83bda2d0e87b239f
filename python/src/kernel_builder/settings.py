"""The settings of a run: what options of the command line ask for, in this thread alone."""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True)
class Settings:
    """Options of Nix, and the amount of messages on standard error.

    Args:
        builder: The flake reference or the checkout of kernel-builder; None is the one that this
            package knows.
        nix_options: Settings of Nix, as pairs of name and value.
        offline: Fetch nothing.
        show_trace: Keep Nix's whole trace in errors.
        untrusted: Treat kernels as those of others: see docs/operations/verify.md.
        allow_vulnerable: Accept a Nix with a known vulnerability for such kernels.
        verbosity: 0 prints errors only, 1 messages, 2 also each program that is started.
        as_json: Errors of the command line are printed as JSON, too.
        print_logs: Show the logs of builds.
        max_jobs: Number of steps that run here at once: None for as many as fit into memory, 0 if
            remote builders do all.
        cores: Number of cores for each step: None for those that no other step has, 0 for all.
        archives: A folder of archives of trees of sources.
        refresh: Ask again for sources that could not be had some minutes ago.
    """

    builder: str | None = None
    nix_options: tuple[tuple[str, str], ...] = ()
    offline: bool = False
    show_trace: bool = False
    untrusted: bool = False
    allow_vulnerable: bool = False
    verbosity: int = 1
    as_json: bool = False
    print_logs: bool = False
    max_jobs: int | None = None
    cores: int | None = None
    archives: str | None = None
    refresh: bool = False


DEFAULTS = Settings()
_current: ContextVar[Settings] = ContextVar("settings", default=DEFAULTS)


def current_settings() -> Settings:
    """Return the settings of this run."""
    return _current.get()


def change_settings(**values: Any) -> None:
    """Change some of the settings until the end of the run."""
    _current.set(replace(_current.get(), **values))


def cache_by_settings(function: Callable[..., Result]) -> Callable[..., Result]:
    """Return the function with a memory of its results, which depend on the settings as well."""

    find = cache(lambda _settings, *arguments: function(*arguments))
    return lambda *arguments: find(current_settings(), *arguments)
