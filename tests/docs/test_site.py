"""The documents as a site: built without a warning, and looked at on a wide and a narrow screen."""

import os
import re
import sys
from pathlib import Path

import pytest

from tests.browser import find_browser, look
from tests.evaluation import ROOT, call

# A page of text, one of tables, one of code that is part of files.
PAGES = ("index", "reference/status", "extending")
READER = """<script>addEventListener("load", () => {
  const told = document.documentElement.dataset, of = (name) => document.querySelectorAll(name);
  told.wider = document.documentElement.scrollWidth - innerWidth;
  told.links = of("nav.md-nav--primary a[href]").length;
  told.titles = of("article h1").length;
  // What MkDocs does not understand it leaves as it was written.
  told.raw = [...of("article p")].filter((each) => each.textContent.includes("```")).length;
});</script></body>"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("site")
    argv = [sys.executable, "-B", "-m", "mkdocs", "build", "-f", f"{ROOT}/mkdocs.yml"]
    # Strict: a page that the menu lacks, or a link or heading that is not there, is an error.
    call(*argv, "-d", made, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    return made


def test_it_has_every_page_and_no_other_host(site: Path) -> None:
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")}
    written = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.md")}
    wanted = {path.with_suffix(".html").as_posix() for path in written} | {"index.html"}
    # MkDocs calls a folder's own page so, and makes one of what is missing.
    assert pages - {"404.html"} == {page.replace("README", "index") for page in wanted}
    asked = re.compile(r'<(?:script|img|link rel="stylesheet")[^>]*?(?:src|href)="(https?:[^"]+)')
    found = {(page, host) for page in pages for host in asked.findall((site / page).read_text())}
    assert found == set()


@pytest.mark.parametrize("width", [1400, 500])
def test_pages_in_a_browser(site: Path, width: int) -> None:
    browser = find_browser()
    for name in PAGES:
        page = site / f"{name}.html"
        looked_at = page.with_name(f"{page.stem}-{width}.html")
        looked_at.write_text(page.read_text().replace("</body>", READER))
        told, _text = look(browser, looked_at, width)
        assert int(told["wider"]) <= 0, name
        assert int(told["links"]) > len(list((ROOT / "docs").rglob("*.md"))), name
        assert (told["titles"], told["raw"]) == ("1", "0"), name
