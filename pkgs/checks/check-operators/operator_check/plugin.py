"""The plugin of pytest that checks the calls of each test that passes, after the test."""

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import torch

from operator_check.recording import Call, Recorder
from operator_check.wording import check_call


class Plugin:
    """Writes each problem to `file` at once, as a line of JSON: a later call may end the process."""

    def __init__(self, recorder: Recorder, file: Path) -> None:
        self.recorder, self.file = recorder, file
        self.known: set[tuple[str, str]] = set()
        self.calls = self.passed = 0

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_call(self) -> "Generator[None, Any, None]":
        """Record a test, without its fixtures."""
        self.recorder.is_active = True
        outcome = yield
        self.recorder.is_active = False
        is_passed = outcome.excinfo is None
        calls = self.recorder.take(is_passed=is_passed)
        if is_passed:
            self.passed += 1
            # The next test draws the same random numbers as without the check.
            with torch.random.fork_rng(devices=[]), torch.enable_grad():
                for call in calls:
                    self._check(call)

    def _check(self, call: Call) -> None:
        self.calls += 1
        for verdict in check_call(call):
            key = (call.operator.name(), verdict.util)
            if key not in self.known:
                self.known.add(key)
                with self.file.open("a") as file:
                    file.write(f"{json.dumps(verdict.word().as_data())}\n")
