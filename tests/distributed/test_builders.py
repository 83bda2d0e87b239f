"""Builds on other machines: who did what, and what happens when one of them is of no use."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli.command_line import PACKAGE
from tests.distributed.machine import Machine, builders
from tests.distributed.made_up import WAIT, MadeUp
from tests.evaluation import SYSTEM

SECONDS = 400


class Building:
    """A build of a kernel that runs while the test looks on."""

    def __init__(self, machine: Machine, kernel: Path, *options: str) -> None:
        environment = {**os.environ, **machine.environment, "PYTHONPATH": str(PACKAGE)}
        words = ["-m", "kernel_builder", "build", str(kernel), "--json", *options]
        self.process = subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def wait_for(self, condition: Callable[[], object]) -> None:
        end = time.monotonic() + SECONDS
        while not condition():
            assert time.monotonic() < end, "no builder was given what it has to build"
            assert self.process.poll() is None, self.end()
            time.sleep(0.1)

    def end(self) -> tuple[int, str, str]:
        """Return how it ends, the result, and what was said."""
        out, said = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, out.decode(), said.decode()


def test_steps_are_spread_and_counted(
    machine: Callable[..., Machine], three: list[Machine], kernel: MadeUp, tmp_path: Path
) -> None:
    coordinator = machine("main")
    lines = ["# where  system  key  jobs  speed"]
    for each in three:
        each.share()
        lines.append(f"{each.serve()}  {SYSTEM}  -  1  2")
    machines = tmp_path / "machines"
    machines.write_text("\n".join(lines))
    options = ("--max-jobs", "0", "--option", "builders", f"@{machines}")
    building = Building(coordinator, kernel.make(WAIT, objects=3), *options)
    # Nobody ends before all have something to do.
    building.wait_for(lambda: all(each.begun() for each in three))
    for each in three:
        each.go()
    status, out, said = building.end()
    assert status == 0, said
    report = json.loads(out)
    assert set(report["built"]) == {each.serve() for each in three}
    # The tool, the objects, the variant, the bundle.
    assert sum(report["built"].values()) == 1 + 3 + 1 + 1
    # Each one is told of once, although a builder tells of it as well.
    assert said.count("building k-cpu-part1.cpp.o") == 1
    # Their results have come back.
    assert coordinator.has(report["result"], *(each["out"] for each in report["variants"]))


def test_a_builder_that_does_not_answer(
    machine: Callable[..., Machine], three: list[Machine], kernel: MadeUp
) -> None:
    coordinator, nobody, folder = machine("main"), machine("nobody"), kernel.make()
    where = builders(nobody)
    (nobody.root / "serve.sh").unlink()
    done = coordinator.cli(folder, "build", str(folder), *where)
    assert done.status == 1
    assert f"cannot build on '{where[-1].split()[0]}'" in done.stderr
    report, _ = coordinator.build(folder, *where[:-1], f"{where[-1]}; {builders(three[0])[-1]}")
    assert set(report["built"]) == {three[0].serve()}
