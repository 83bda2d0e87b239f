"""`build --report`: what a build did, as data, as advice and as a page."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.machine.limits import find_room
from kernel_builder.report import render
from kernel_builder.report.advice import advise
from kernel_builder.report.sizes import measure
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.cli.made_up import make_up
from tests.cli.store import Store
from tests.cli.test_schedule import Units


@pytest.fixture
def units(
    kernel: FakeKernel, store: Store, cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Units:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return Units(kernel, store, cli)


def by_name(report: Any) -> dict[str, Any]:
    return {step["name"]: step for step in report["steps"]}


def test_a_build_then_nothing_to_do(units: Units, tmp_path: Path) -> None:
    units.add("k-a.cpp.o", "compiler: 3.25 s, 812 MB", "sleep 0.2; echo four > $out")
    units.add("k-b.cu.sm_90a", "cicc: 1.00 s, 90 MB", "mkdir $out; echo 12 > $out/cubin")
    file = tmp_path / "report.json"
    # Longer than the hundredth of a second in which times are given.
    done = units.build("--report", str(file), "--json", script='"sleep 0.1; echo v > $out"')
    assert done.status == 0, done.stderr
    report = json.loads(file.read_text())
    assert json.loads(done.stdout)["report"] == report
    assert f"report: {file}" in done.stderr

    steps = by_name(report)
    assert set(steps) == {"k-a.cpp.o", "k-b.cu.sm_90a", "k-v"}
    a, b, v = (steps[name] for name in ("k-a.cpp.o", "k-b.cu.sm_90a", "k-v"))
    assert [each["state"] for each in (a, b, v)] == ["built"] * 3
    assert [each["kind"] for each in (a, b, v)] == ["compile", "device", "other"]
    assert (a["parts"], a["size"]) == ([["compiler", 3.25, 812]], 5)
    assert (b["target"], b["size"], v["unit"]) == ("90a", 3, None)
    # Times are rounded, and the first step takes next to none.
    assert 0 < a["start"] <= a["stop"] <= v["start"] < v["stop"] <= report["seconds"]
    (variant,) = report["variants"]
    assert [report["steps"][n]["name"] for n in variant["steps"]] == list(steps)
    assert set(report["before"]) == {"evaluation", "sources"}
    assert 1 <= report["jobs"][0] <= report["cores"]

    again = units.cli("build", str(units.kernel.folder), "--report", str(file))
    assert again.status == 0, again.stderr
    report = json.loads(file.read_text())
    # What a step took is known from the last time.
    a = by_name(report)["k-a.cpp.o"]
    assert (a["state"], a["parts"], "start" in a) == ("stored", [["compiler", 3.25, 812]], False)
    assert (report["jobs"], report["cores"]) == ([], None)


def test_units_that_are_asked_for_by_name_end_when_they_end(units: Units, tmp_path: Path) -> None:
    names = [f"k-{number}.cpp.o" for number in range(find_room().cores + 1)]
    for name in names:
        units.add(name, "compiler: 0.10 s, 10 MB")
    file = tmp_path / "report.json"
    assert units.build("--report", str(file)).status == 0
    steps = by_name(json.loads(file.read_text()))
    assert max(steps[name]["stop"] for name in names) <= steps["k-v"]["start"]


def test_a_step_that_fails(units: Units, tmp_path: Path) -> None:
    units.add("k-a.cpp.o", script="exit 1")
    done = units.build("--report", str(tmp_path / "report.json"))
    assert done.status == 1
    steps = by_name(json.loads((tmp_path / "report.json").read_text()))
    assert steps["k-a.cpp.o"]["state"] == "failed"


def test_a_report_that_cannot_be_written(units: Units, tmp_path: Path) -> None:
    done = units.build("--report", str(tmp_path / "no such folder" / "report.html"))
    assert done.status == 1
    assert "error: the report cannot be written (1 problem)" in done.stderr
    assert "v        built" in done.stdout


def test_the_page_needs_nothing_else() -> None:
    page = render(make_up(2))
    assert not re.search(r"https?://|@import|url\(|\bsrc=|\bhref=|<link", page)
    assert re.findall(r"@[\w.]+@", page) == []


def test_no_text_of_the_data_is_taken_for_the_page() -> None:
    page = render({**make_up(2), "name": "</script><img src=x onerror=alert()>"})
    assert "<img" not in page
    assert page.count("</script>") == 2


def test_code_is_what_is_mapped(tmp_path: Path) -> None:
    # Any program has sections that are not mapped, and some that have no bytes.
    program = Path(sys.executable).resolve()
    assert 0 < (measure(program) or 0) < program.stat().st_size
    (tmp_path / "text").write_text("12345")
    assert measure(tmp_path / "text") == 5
    assert measure(tmp_path / "nothing") is None


# ---- advice ----


def step(name: str, **more: Any) -> dict[str, Any]:
    told = {"start": 0.0, "stop": 1.0, "state": "built", "kind": "compile", "size": 1, "parts": []}
    return {"name": name, "unit": name, **told, **more}


def advice(*steps: dict[str, Any], **more: Any) -> str:
    variant = {"variant": "v", "steps": list(range(len(steps)))}
    usual = {"seconds": 100.0, "cores": 8, "memory": 10_000, "jobs": [8], "variants": [variant]}
    return "\n".join(advise({**usual, "steps": list(steps), **more}))


def test_no_advice_without_need() -> None:
    assert advice(step("a.cpp"), step("b.cpp")) == ""
    assert advice() == ""
    assert advice(jobs=[], cores=None, memory=None) == ""


def test_advice_on_memory() -> None:
    said = advice(step("a.cu", parts=[["cicc", 1.0, 4000]]), step("b.cu"), jobs=[2, 8])
    assert "Only 2 of 8 cores compiled at once" in said
    assert "a.cu takes 4.2 GB" in said
    assert "With 41.9 GB free" in said


def test_advice_on_the_longest_step() -> None:
    long = step("a.cu", kind="device", target="90a", stop=60.0)
    assert "a.cu for sm_90a took 60 s of 100 s" in advice(long, step("b.cu"))
    assert advice({**long, "stop": 30.0}, step("b.cu")) == ""
    # All cores had enough to do meanwhile.
    assert advice(long, *[{**long, "unit": "b.cu", "stop": 59.0}] * 7) == ""
    # Of seconds nobody complains.
    assert advice({**long, "stop": 6.0}, step("b.cu"), seconds=10.0) == ""


def test_advice_on_headers() -> None:
    full = {"headers": "full", "kind": "device"}
    said = advice(*(step(f"{name}.cu", **full) for name in "aabcde"), step("f.cu", headers="lean"))
    assert "5 units read all of Torch's headers" in said
    assert "they do not compile with lean ones: a.cu, b.cu, c.cu and 2 more." in said
    # The host's part of a unit has them anyway, unless somebody says why.
    assert advice(step("a.cu", headers="full", kind="host")) == ""
    why = "they use torch::nn"
    said = advice(step("a.cpp", headers="full", why=why))
    assert "1 unit read all of Torch's headers, because they use torch::nn: a.cpp." in said


def test_advice_on_units_that_are_compiled_whole() -> None:
    said = advice(*(step(name, whole="-rdc=true (linked later)") for name in ("a.cu", "b.cu")))
    assert "2 units with device code" in said
    assert "because of -rdc=true (linked later): a.cu, b.cu." in said


def test_advice_on_size() -> None:
    sizes = [step(name, size=size * 10**6) for name, size in (("a", 8), ("b", 2), ("c", 1))]
    assert "a is 73% of its library" in advice(*sizes)
    assert advice(*(step(name, size=10**7) for name in "abc")) == ""
    assert advice(*(step(name, size=n) for n, name in enumerate("abc"))) == ""
