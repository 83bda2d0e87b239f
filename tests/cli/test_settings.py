"""The settings of a run: results that are kept depend on them, and printing changes none."""

from __future__ import annotations

import pytest

from kernel_builder.messages.terminal import print_json
from kernel_builder.settings import (
    Settings,
    cache_by_settings,
    change_settings,
    current_settings,
    use_settings,
)


def test_a_result_is_kept_for_its_settings() -> None:
    calls: list[bool] = []

    @cache_by_settings
    def find(name: str) -> str:
        calls.append(current_settings().offline)
        return f"{name}, offline: {current_settings().offline}"

    with use_settings(Settings()):
        assert [find("a"), find("a")] == ["a, offline: False"] * 2
        change_settings(offline=True)
        assert find("a") == "a, offline: True"
    assert calls == [False, True]


def test_printing_changes_no_setting(capsys: pytest.CaptureFixture[str]) -> None:
    with use_settings(Settings(as_json=True)):
        print_json({"a": 1})
        assert current_settings().as_json
    assert '"a": 1' in capsys.readouterr().out
