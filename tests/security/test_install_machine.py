"""install.sh on machines whose state would let a kernel, or a fault, do harm."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.install.fake_machine import FakeMachine


@pytest.fixture
def machine(tmp_path: Path) -> FakeMachine:
    machine = FakeMachine(tmp_path)
    machine.fake_environment()
    return machine


@pytest.mark.attack("install.sh", "`sandbox = relaxed` in nix.conf", "not ready, with the fix")
def test_a_relaxed_sandbox_is_not_ready(machine: FakeMachine) -> None:
    before = machine.write_conf("sandbox = relaxed")
    for words in ((), ("--check",)):
        answer = machine.install(*words)
        assert answer.code == 1
        assert "ready" not in answer.said
    answer = machine.install()
    assert "error: a kernel can step out of the sandbox of this Nix" in answer.said
    assert "write 'sandbox = true' in its place" in answer.said
    assert before in machine.conf.read_text()
    assert machine.install("--no-sandbox").code == 0
    machine.write_conf("sandbox = true")
    assert machine.install().code == 0


@pytest.mark.attack(
    "install.sh",
    "the group of /nix/store is deleted, and its number given away",
    "the store is root's",
)
@pytest.mark.parametrize("group", ["nixbld", "staff"])
def test_the_store_is_no_groups_that_is_gone(machine: FakeMachine, group: str) -> None:
    (machine.shell.parent / "build-users").write_text("2\n")
    machine.fake("stat", f"echo {group}")
    for program in ("chgrp", "userdel", "groupdel"):
        machine.fake(program, f'echo "{program} $*" >>{machine.folder}/calls')
    machine.install("--uninstall")
    wanted = ["chgrp root /nix/store"] if group == "nixbld" else []
    assert machine.calls("chgrp") == wanted
    assert "groupdel nixbld" in machine.calls()
