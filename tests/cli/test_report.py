"""`build --report`: what a build did, as data and as a page."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from kernel_builder.report import render_page
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
    a = by_name(report)["k-a.cpp.o"]
    assert (a["state"], a["size"], "start" in a) == ("stored", 5, False)
    assert (report["jobs"], report["cores"]) == ([], None)


def test_a_step_that_fails(units: Units, tmp_path: Path) -> None:
    units.add("k-a.cpp.o", script="exit 1")
    done = units.build("--report", str(tmp_path / "report.json"))
    assert done.status == 1
    steps = by_name(json.loads((tmp_path / "report.json").read_text()))
    assert steps["k-a.cpp.o"]["state"] == "failed"


def test_a_report_that_cannot_be_written(units: Units, tmp_path: Path) -> None:
    done = units.build("--report", str(tmp_path / "no such folder" / "report.html"))
    assert done.status == 1
    assert f"error: {tmp_path}/no such folder" in done.stderr
    assert "v        built" in done.stdout


def test_the_page_needs_nothing_else() -> None:
    page = render_page(make_up(2))
    assert not re.search(r"https?://|@import|url\(|\bsrc=|\bhref=|<link", page)
    assert re.findall(r"@[\w.]+@", page) == []
