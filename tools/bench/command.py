"""The command line of the benchmark.

No number is asserted: a number means something only beside others of the same machine and minute.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click

if __name__ == "__main__":
    ROOT = Path(__file__).resolve().parents[2]
    sys.path[:0] = [str(ROOT), str(ROOT / "tools"), str(ROOT / "python" / "src")]

from bench import experiments, one_unit
from bench.experiments import Experiment
from bench.measuring import Cost, FailedError
from bench.picture import draw
from bench.report import put_into, write_report
from bench.samples import Failure, Sample, Samples, describe_machine, read_samples
from bench.ways import OURS, others_in

FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(name="tools/bench/run", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick/--full", default=True, help="Small kernels, in minutes (default); or all.")
@click.option("--only", default="", metavar="REGEX", help="The experiments whose names match.")
@click.option("--list", "is_list", is_flag=True, help="Only name the experiments.")
@click.option("--times", type=click.IntRange(min=1), help="Turns of each experiment.")
@click.option(
    "--published",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="A folder of published kernels: units of four of them are measured, too.",
)
@click.option(
    "--json", "file", type=FILE, default=Path("build/bench.json"), show_default=True,
    help="Where the samples go.",
)  # fmt: skip
@click.option("--add", is_flag=True, help="Add to the samples that the file has.")
@click.option("--report", is_flag=True, help="Measure nothing; only print the file's report.")
@click.option("--into", type=FILE, help="A page that gets the report between its marks.")
@click.option("--picture", type=FILE, help="An SVG file that gets the ratios as a picture.")
def main(
    quick: bool, only: str, is_list: bool, times: int | None, published: Path | None,
    file: Path, add: bool, report: bool, into: Path | None, picture: Path | None,
) -> None:  # fmt: skip
    """Measure builds by kernel-builder beside builds by others, in turns, in one run.

    The report is Markdown on standard output; docs/reference/benchmarks.md explains it.
    Samples are written after each build, so a run that is broken off has those that it took.
    """
    if report:
        samples = read_samples(file)
    else:
        samples = read_samples(file) if add and file.exists() else Samples(file, describe_machine())
        with tempfile.TemporaryDirectory(prefix="bench-") as name:
            folder = Path(name)
            chosen = [*(experiments.quick if quick else experiments.full)(others_in(folder))]
            if published:
                units = one_unit.PUBLISHED
                chosen += [experiments.of_published(published, unit) for unit in units]
            chosen = [each for each in chosen if re.search(only, each.name)]
            if is_list:
                for each in chosen:
                    click.echo(f"{each.name:<24} {times or each.times} x  {each.subject}")
                return
            _measure(chosen, samples, folder, times)
    text = write_report(samples)
    click.echo(text)
    if into:
        put_into(into, text)
    if picture:
        picture.write_text(draw(samples))


def _measure(
    chosen: Sequence[Experiment], samples: Samples, folder: Path, times: int | None
) -> None:
    """Take the turns of all experiments, each experiment's first one before any second one."""
    # Without bytecode, each command compiles its modules: 0.1 s.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for each in chosen:
        if each.obstacle:
            click.echo(f"{each.name}: left out: {each.obstacle}", err=True)
    turns = {each: times or each.times for each in chosen if not each.obstacle}
    there = {each: samples.turns(each.name) for each in turns}
    for number in range(max(turns.values(), default=0)):
        for each in (each for each, count in turns.items() if number < count):
            place = folder / each.name
            place.mkdir()
            turn = there[each] + number
            record = partial(record_cost, samples, each, turn)
            try:
                each.take_turn(place, turn, record)
            except FailedError as failure:
                record("its turn", OURS, failure)
            shutil.rmtree(place)


def record_cost(
    samples: Samples,
    experiment: Experiment,
    turn: int,
    case: str,
    way: str,
    cost: Cost | FailedError,
) -> None:
    """Keep a measurement, or why it failed, and say it."""
    if isinstance(cost, FailedError):
        samples.add(Failure(experiment.name, case, way, str(cost)))
        click.echo(f"{experiment.name} {turn}: {case}: {way} failed: {cost}", err=True)
        return
    samples.add(Sample(experiment.name, experiment.subject, case, way, turn, cost))
    said = f"{experiment.name} {turn}: {case}: {way}: {cost.seconds:.1f} s"
    click.echo(f"{said}, {cost.core_seconds:.1f} core seconds", err=True)


if __name__ == "__main__":
    main(prog_name="tools/bench/run")
