"""Which Python an upload runs with."""

from __future__ import annotations

from importlib import metadata

import pytest

from kernel_builder.hub import python as hub_python
from kernel_builder.messages.errors import KernelBuilderError


def pretend(monkeypatch: pytest.MonkeyPatch, version: str | None) -> list[list[str]]:
    """Let this Python have a version of the library, or none; return what is started instead."""
    started: list[list[str]] = []

    def find(_name: str) -> str:
        if version is None:
            raise metadata.PackageNotFoundError
        return version

    def replace(argv: list[str], environment: dict[str, str]) -> None:
        assert environment[hub_python.MARK]
        started.append(argv)

    monkeypatch.setattr(metadata, "version", find)
    monkeypatch.setattr(hub_python, "replace", replace)
    monkeypatch.setattr(hub_python, "_make_python", lambda library: library.package)
    return started


@pytest.mark.parametrize("version", ["2.4.0", "2.11.1", "2.99.0"])
def test_this_one(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    started = pretend(monkeypatch, version)
    hub_python.continue_with_library(["upload"])
    assert started == []


@pytest.mark.parametrize("version", [None, "1.9.0", "2.3.9", "3.0.0", "2"])
def test_the_pinned_one(monkeypatch: pytest.MonkeyPatch, version: str | None) -> None:
    started = pretend(monkeypatch, version)
    hub_python.continue_with_library(["upload", "--dry-run"])
    ((program, isolated, *_, module, command, option),) = started
    assert (program, isolated) == ("hubPython", "-I")
    assert (module, command, option) == ("kernel_builder", "upload", "--dry-run")


def test_never_a_third(monkeypatch: pytest.MonkeyPatch) -> None:
    pretend(monkeypatch, None)
    monkeypatch.setenv(hub_python.MARK, "1")
    with pytest.raises(KernelBuilderError, match="internal error"):
        hub_python.continue_with_library(["upload"])
