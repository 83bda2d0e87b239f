"""Builds on other machines: who did what, and what happens when one of them is of no use."""

import json
import time
from collections.abc import Callable
from pathlib import Path

from tests.cli.command_line import Cli, Started
from tests.distributed.machine import Machine, builders
from tests.distributed.made_up import WAIT, MadeUp
from tests.evaluation import SYSTEM

SECONDS = 400


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
    words = ("build", str(kernel.make(WAIT, objects=3)), "--json", *options)
    with Started(Cli(tmp_path, coordinator.environment), *words) as process:
        end = time.monotonic() + SECONDS
        # Nobody ends before all have something to do.
        while not all(each.begun() for each in three):
            assert time.monotonic() < end, "no builder was given what it has to build"
            assert process.poll() is None, process.communicate()
            time.sleep(0.1)
        for each in three:
            each.go()
        out, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 0, said
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
