"""Which backends a machine has, as far as the machine that tests can tell."""

from __future__ import annotations

import pytest

from kernel_builder.machine import VARIABLE, has_device


def test_every_machine_has_a_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert has_device("cpu")
    assert not has_device("quantum")


def test_the_variable_chooses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "rocm")
    assert has_device("rocm")
    assert not has_device("cpu")
