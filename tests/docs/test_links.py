"""Links of the documents lead somewhere, named files exist, and README leads to every page."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.evaluation import ROOT

START = ROOT / "README.md"
PAGES = [START, *sorted((ROOT / "docs").rglob("*.md"))]
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# Names of folders that a kernel may have as well are left out.
FOLDERS = ("backends", "lib", "pkgs", "overlays", "stand-ins", "tools", r"tests/\w+(?=/test_)")
NAMED = re.compile(rf"`((?:{'|'.join(FOLDERS)})/[\w./+-]+)`")
HEADING = re.compile(r"^#+ +(.+)$", re.MULTILINE)


def read(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def links_in(text: str) -> list[str]:
    """Return where the links of a page lead that stay in the repository."""
    # The words of a link may be code, but code holds no link.
    words = CODE.sub(lambda code: re.sub(r"[][]", "", code[0]), FENCED.sub("", text))
    return [link for link in LINK.findall(words) if not re.match(r"[a-z]+:", link)]


def anchors_in(text: str) -> set[str]:
    """Return the names of a page's headings, as GitHub makes them."""
    headings = HEADING.findall(FENCED.sub("", text))
    return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-") for each in headings}


def broken_in(page: Path) -> Iterator[str]:
    for link in links_in(read(page)):
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        if not target.exists() or (anchor and anchor not in anchors_in(read(target))):
            yield link


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_in(page)) == []
    named = [name for name in NAMED.findall(read(page)) if "NAME" not in name]
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_every_page_is_linked() -> None:
    found, new = {START}, [START]
    while new:
        page = new.pop()
        targets = {
            (page.parent / link.partition("#")[0]).resolve() for link in links_in(read(page))
        }
        unseen = {each for each in targets if each.suffix == ".md" and each.is_file()} - found
        found |= unseen
        new += unseen
    assert [page.relative_to(ROOT).as_posix() for page in PAGES if page not in found] == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_text("# One `two`, three\n```\n# no heading\n```\n")
    page = tmp_path / "a.md"
    page.write_text(
        "[b](b.md#one-two-three) [`b`](b.md) [c](c.md) [b](b.md#no-heading) `[d](d.md)`\n"
        "```\n[e](e.md)\n```\n[f](https://example.org/f)\n"
    )
    assert list(broken_in(page)) == ["c.md", "b.md#no-heading"]
