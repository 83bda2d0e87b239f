"""Warnings that a step prints in the form of all messages are shown though the step ends well."""

from __future__ import annotations

from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel

WARNING = """\
warning: the card is not as CARD.md says (1 problem)

       at     CARD.md
       fix    correct it"""
SCRIPT = "echo before; {}; echo after; echo warning: of a compiler"


def test_a_warning_of_a_step_is_shown_once(cli: Cli, kernel: FakeKernel) -> None:
    lines = "; ".join(f"echo '{line}'" for line in WARNING.splitlines())
    for name in ("one", "two"):
        kernel.add(name, script=f'"{SCRIPT.format(lines)}; echo {name} > $out"')
    kernel.write()
    done = cli("build", str(kernel.folder))
    assert done.status == 0, done.stderr
    assert done.stderr.count(WARNING) == 1
    assert "of a compiler" not in done.stderr
    assert "after" not in done.stderr
