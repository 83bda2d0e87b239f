"""The page of a report in a real browser: on wide and narrow screens, for thousands of steps."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from kernel_builder.report import render_page, write_report
from tests.browser import find_browser, look
from tests.cli.made_up import make_up

# What a reader would do: point at the first bar, open a unit, ask for all of them, look for a step.
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
    assert "2 variants" in text
    assert f"{len(data['steps']):,} steps" in text
    # Text of the data is text.
    assert "lean headers: &lt;b&gt;most&lt;/b&gt;" in text


def test_nothing_was_built(browser: str, tmp_path: Path) -> None:
    data = make_up(2)
    for step in data["steps"]:
        for key in ("start", "stop", "where"):
            step.pop(key, None)
        step["state"] = "stored"
    page = tmp_path / "report.html"
    page.write_text(render_page({**data, "cores": None, "memory": None, "jobs": [], "before": {}}))
    told, text = look(browser, page, 1280)
    assert told == {"drawn": "yes"}
    assert "Nothing had to be built or fetched." in text


def test_a_pipe_gets_it(tmp_path: Path) -> None:
    pipe = tmp_path / "report.json"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as pool:
        got = pool.submit(pipe.read_text)
        write_report({"name": "k"}, pipe)
        assert json.loads(got.result()) == {"name": "k"}
    assert pipe.is_fifo()
