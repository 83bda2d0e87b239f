from pathlib import Path

import pytest

from tests.install.fake_machine import FakeMachine


@pytest.fixture
def machine(tmp_path: Path) -> FakeMachine:
    """A machine with Nix and nothing else of ours."""
    return FakeMachine(tmp_path)


@pytest.fixture
def whole(machine: FakeMachine) -> FakeMachine:
    """A machine on which no package is missing."""
    machine.fake_environment()
    return machine
