"""The benchmark report agrees with the samples, and its goals name experiments."""

from functools import partial
from pathlib import Path

from bench import experiments, one_unit
from bench.command import record_cost
from bench.compared import Comparison, Subject
from bench.kernels import CPP, CUDA, Kernel
from bench.measuring import Cost, FailedError
from bench.picture import ROWS, draw
from bench.report import GOALS, put_into, write_report
from bench.samples import Sample, Samples, read_samples
from bench.ways import OURS, SCCACHE, Ours, Project, kernel_builder, others_in
from tests.evaluation import ROOT, call

MACHINE = {"processor": "p", "cores": 2, "memory": "m", "nix": "n", "commit": "c", "load": [0.5]}


def samples_in(file: Path, *seconds: tuple[float, float]) -> Samples:
    """Return an edit of one unit of several variants: ours and theirs, in turns."""
    samples = Samples(file, dict(MACHINE))
    for turn, each in enumerate(seconds):
        for way, value in zip((OURS, SCCACHE), each):
            cost = Cost(value, 2 * value, 100, others=value / 10)
            sample = Sample("cpp-11x5", "20 units", "one unit edited", way, turn, cost)
            samples.add(sample)
    return samples


def goal_of(report: str, case: str) -> list[str]:
    (row,) = (line for line in report.splitlines() if line.startswith(f"| {case} | 20 units"))
    return [column.strip() for column in row.strip("|").split("|")]


def test_a_ratio_is_of_one_turn_and_the_median_counts(tmp_path: Path) -> None:
    # The medians of both are 4 and 5; of the ratios it is another turn's.
    samples = samples_in(tmp_path / "s.json", (4, 2), (3, 6), (9, 5))
    columns = goal_of(write_report(samples), "one unit edited")
    assert columns[3:] == ["4.00 (3.00 to 9.00)", "5.00 (2.00 to 6.00)", "1.80 (0.50 to 2.00)",
                           "1.00", "**no**"]  # fmt: skip
    assert "Of the cores' time, anything else took 5%" in write_report(samples)


def test_samples_are_read_back_and_fill_a_page(tmp_path: Path) -> None:
    samples = samples_in(tmp_path / "s.json", (1, 2), (2, 3))
    assert read_samples(samples.file) == samples
    page = tmp_path / "page.md"
    page.write_text((ROOT / "docs/reference/benchmarks.md").read_text())
    before = page.read_text().split("<!-- measured")[0]
    for _ in range(2):
        put_into(page, write_report(samples))
    assert page.read_text().startswith(before)
    assert page.read_text().count("### 20 units") == 1


def test_the_picture_has_a_few_rows_in_plain_words_with_seconds(tmp_path: Path) -> None:
    samples = samples_in(tmp_path / "s.json", (4, 2), (3, 6), (9, 5))
    (row,) = (each for each in ROWS if each["experiment"] == "cpp-11x5" and "edit" in each["case"])
    assert len(ROWS) <= 15
    drawn = draw(samples)
    assert drawn.count(">11 C++ files") == 1
    assert row["text"] in drawn
    assert "4.00</tspan> s, others" in drawn
    # Cases that were not measured have no row.
    assert sum(each["text"] in drawn for each in ROWS) == 1


def test_every_row_and_every_goal_is_of_an_experiment(tmp_path: Path) -> None:
    units = [experiments.of_published(ROOT, unit) for unit in one_unit.PUBLISHED]
    ways = others_in(tmp_path)
    full = {each.name for each in experiments.full(ways)}
    assert {row["experiment"] for row in ROWS} <= full
    known = full | {each.name for each in (*experiments.quick(ways), *units)}
    assert {name for goal in GOALS for name in goal["experiments"]} <= known


class Fails(Project):
    """A way whose project cannot be made."""

    name = "fails"

    def write(self, *_words: object) -> None:
        raise FailedError("make-project\nno such variant")


class Works(Fails):
    """A way that takes a second."""

    name = "works"

    def write(self, *_words: object) -> None:
        pass

    def build(self, *_words: object) -> Cost:
        return Cost(1, 1, 1)


class OursToo(Ours):
    def build(self, *_words: object) -> Cost:
        return Cost(2, 2, 2)


def test_a_way_that_fails_ends_with_its_message_and_the_others_go_on(tmp_path: Path) -> None:
    samples = Samples(tmp_path / "s.json", dict(MACHINE))
    experiment = experiments.Experiment("cuda-2", "2 units", 1, lambda *_: None)
    record = partial(record_cost, samples, experiment, 0)
    ways = [Fails(lambda _: {}), Works(lambda _: {})]
    comparison = Comparison(Subject(CUDA, 2, ["v"]), tmp_path, OursToo(), ways, 0, record)
    comparison.prepare("cold", ["v"])
    assert [*comparison.step("cold")] == [OURS, "works"]
    assert "cuda-2, cold: fails failed:\n\n```\nmake-project\nno such variant\n```" in write_report(
        read_samples(samples.file)
    )


def test_the_flake_of_kernels_selects_every_variant_that_is_measured(tmp_path: Path) -> None:
    """A name that selects no Torch was no variant, and no error."""
    Kernel(tmp_path, CPP, 1, experiments.VARIANTS).write_all("")
    listed = call(*kernel_builder("list-variants", str(tmp_path))).stdout.split()
    assert {*experiments.VARIANTS} <= {*listed}


def test_the_command_lists_experiments() -> None:
    said = call(ROOT / "tools/bench/run", "--list", "--only", "cpp-2").stdout
    assert [line.split()[0] for line in said.splitlines()] == ["cpp-2"]
