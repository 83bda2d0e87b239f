"""`build --report`: what a build did, as data and as a page, also in a real browser."""

import json
import random
import re
from pathlib import Path
from typing import Any, Final

import pytest

from kernel_builder.report.commands import render_page
from tests.browser import find_browser, look
from tests.cli.command_line import Cli
from tests.cli.fake_kernel import FakeKernel
from tests.cli.store import Store
from tests.cli.test_jobs import Units
from tests.cli.test_terminal import run_on_terminal


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
    pass_script = "mkdir $out; echo 12 > $out/cubin"
    units.add("k-b.cu.sm_90a", "cicc: 1.00 s, 90 MB", pass_script, step="device", arch="90a")
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


LENGTHS = {"k-short": (0, 2), "k-bad": (0, 2), "k-long": (4, 60)}


def test_a_step_ends_when_it_ends(kernel: FakeKernel, cli: Cli, tmp_path: Path) -> None:
    # Nix reports the ends of all that are asked for by name at once.
    kernel.add("short")
    kernel.add("bad", script='"exit 1"')
    kernel.add("long", script='"sleep 4; echo > $out"')
    file = tmp_path / "report.json"
    words = ("build", str(kernel.write()), "--max-jobs", "3", "--report", str(file))
    shown = run_on_terminal(cli, *words)
    steps = by_name(json.loads(file.read_text()))
    lengths = {name: steps[name]["stop"] - steps[name]["start"] for name in LENGTHS}
    for name, (least, most) in LENGTHS.items():
        assert least <= lengths[name] < most, lengths
    # One total from the first line on, and only what runs.
    lines = re.findall(r"\[0:\d\d\] (\d)/(\d) ?([^\r\x1b]*)", shown)
    # The bundle without the one that failed is built after them.
    assert {total for _, total, _ in lines} == {"4", "1"}
    assert ("1", "4", "k-long") in lines


def test_a_step_that_fails(units: Units, tmp_path: Path) -> None:
    units.add("k-a.cpp.o", script="exit 1")
    done = units.build("--report", str(tmp_path / "report.json"))
    assert done.status == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert by_name(report)["k-a.cpp.o"]["state"] == "failed"
    (error,) = report["errors"]
    assert error["headline"] == "k does not build"
    assert error["problems"][0]["at"] == "k-a.cpp.o"


def test_a_report_that_cannot_be_written(units: Units, tmp_path: Path) -> None:
    done = units.build("--report", str(tmp_path / "no such folder" / "report.html"))
    assert done.status == 1
    assert f"error: {tmp_path}/no such folder" in done.stderr
    assert "v        built" in done.stdout


def test_the_page_needs_nothing_else() -> None:
    page = render_page(make_up(2))
    assert not re.search(r"https?://|@import|url\(|\bsrc=|\bhref=|<link", page)
    assert re.findall(r"@[\w.]+@", page) == []


# A reader points at the first bar, opens a unit, asks for all of them, looks for a step.
READER = """<script>
const told = document.documentElement.dataset;
try {
  told.wider = document.documentElement.scrollWidth - innerWidth;
  const canvas = document.querySelector("canvas"), box = canvas.getBoundingClientRect();
  const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, 9).data;
  told.painted = new Set(pixels).size > 9;
  const place = { clientX: box.left + 6, clientY: box.top + 4 };
  canvas.dispatchEvent(new PointerEvent("pointermove", place));
  told.tip = document.getElementById("tip").textContent;
  told.before = document.querySelectorAll("details.unit").length;
  document.querySelectorAll("section > button").forEach((button) => button.click());
  told.after = document.querySelectorAll("details.unit").length;
  const unit = document.querySelector("details.unit");
  const all = document.querySelector("section > details");
  unit.open = all.open = true;
  // The browser would tell them so only after the page was looked at.
  unit.ontoggle();
  all.ontoggle();
  told.inside = unit.querySelectorAll("tbody tr").length;
  const search = all.querySelector("input");
  search.value = "attention_1.cu.sm_90a";
  search.oninput();
  told.found = all.querySelectorAll("tbody tr").length;
} catch (error) { told.error = error; }
</script></html>"""


@pytest.fixture(scope="module")
def browser() -> str:
    return find_browser()


@pytest.mark.parametrize("width", [1280, 500])
@pytest.mark.parametrize("units", [2, 280])
def test_the_page_in_a_browser(browser: str, tmp_path: Path, units: int, width: int) -> None:
    data = make_up(units)
    page = tmp_path / "report.html"
    page.write_text(render_page(data).replace("</html>", READER))
    told, text = look(browser, page, width)
    assert told.pop("drawn") == "yes", text
    assert int(told.pop("wider")) <= 0
    assert told.pop("tip").startswith("csrc/kernels/attention_")
    assert told == {
        "painted": "true",
        "before": str(min(units, 15)),
        "after": str(units),
        # Nine targets, the host's part and the gathered ones, for each Torch.
        "inside": "22",
        "found": "2",
    }
    # A failure comes first.
    assert 0 < text.find("a.cpp:3:5: error: no &lt;b&gt;") < text.find("Compiled")
    assert "2 variants" in text
    assert f"{len(data['steps']):,} steps" in text
    # Text of the data is text.
    assert "lean headers: &lt;b&gt;most&lt;/b&gt;" in text


@pytest.mark.attack("build --report", "`</script>` in the data of a report's page", "escaped")
def test_data_of_a_page() -> None:
    data = make_up(2)
    data["name"] = "</script><script>alert(1)</script><!--"
    page = render_page(data)
    assert "alert(1)" in page
    assert "<script>alert(1)" not in page
    assert "<!--" not in page


TARGETS: Final = ("80", "86", "89", "90", "90a", "100", "103", "110", "120")
TORCHES: Final = ("213", "214")
LANES: Final = 16


KEYS: Final = ("name", "kind", "unit", "parts", "size")


def _step(*values: object) -> dict[str, Any]:
    return {**dict(zip(KEYS, values, strict=True)), "state": "stored"}


PROBLEM: Final = {"at": "a.cpp.o", "found": "a.cpp:3:5: error: no <b>", "want": "", "fix": ""}


def make_up(units: int) -> dict[str, Any]:
    """Return a build of units for CUDA, each for all targets and two releases of Torch."""
    chance = random.Random(units)
    free = [2.0] * LANES
    steps: list[dict[str, Any]] = []

    def add(step: dict[str, Any], **more: Any) -> None:
        steps.append({**step, **more})
        if chance.random() < 0.8:
            lane = free.index(min(free))
            took = sum(part[1] for part in step["parts"]) or 0.5
            times = {"start": round(free[lane], 2), "stop": round(free[lane] + took, 2)}
            steps[-1].update(times, state="built", where="")
            free[lane] = times["stop"]
        else:
            steps[-1]["parts"] = []

    for number in range(units):
        unit, base = f"csrc/kernels/attention_{number}.cu", chance.lognormvariate(1.5, 0.8)
        for torch in TORCHES:
            name = f"made-up-torch{torch}-cu130-{unit.replace('/', '-')}"
            for target in TARGETS:
                cicc = round(base * chance.uniform(0.6, 1.5), 2)
                parts = [["cicc", cicc, int(300 + 20 * cicc)], ["ptxas", round(cicc / 2, 2), 300]]
                step = _step(f"{name}.sm_{target}", "device", unit, parts, int(base * 1e5))
                add(step, target=target, headers="full" if number % 7 == 0 else "lean")
            parts = [["cudafe++", 1.5, 700], ["compile", 2.0, 900]]
            add(_step(f"{name}.host.o", "host", unit, parts, int(base * 1e4)), headers="lean")
            add(_step(f"{name}.fatbin.o", "gather", unit, [], int(base * 5e5)))
    variants = [
        {
            "variant": f"torch{torch}-cxx11-cu130-x86_64-linux",
            "backend": "cuda",
            "state": "built",
            "why": "lean headers: <b>most</b>",
            "out": "/nix/store/made-up",
            "library": 412_000_000,
            "steps": [n for n, step in enumerate(steps) if f"torch{torch}" in step["name"]],
        }
        for torch in TORCHES
    ]
    return {
        "name": "made-up",
        "system": "x86_64-linux",
        "date": "2026-01-02T03:04:05+00:00",
        "seconds": max(free) + 3,
        "before": {"evaluation": 0.8, "sources": 0.4},
        "cores": LANES,
        "memory": 30_000,
        "jobs": [LANES],
        "derivations": len(steps) + 400,
        "variants": variants,
        "errors": [{"headline": "made-up does not build", "problems": [PROBLEM]}],
        "warnings": [{"kernel": "made-up", "headline": "look at this", "problems": [PROBLEM]}],
        "steps": steps,
    }
