"""What a build did and what came of it, as data and as one page."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import replace_text
from kernel_builder.messages.errors import KernelBuilderError, Problem

PAGE: Final = Path(__file__).parent / "page"


def write(data: dict[str, Any], file: Path) -> None:
    """Write a report: as a page that needs nothing else, or as JSON where the name ends so."""
    text = json.dumps(data, indent=2) if file.suffix == ".json" else render(data)
    try:
        replace_text(file, text)
    except OSError as error:
        found = error.strerror or str(error)
        problem = Problem(str(file), found, "a file that can be written", "name another one")
        raise KernelBuilderError("the report cannot be written", [problem]) from None


def render(data: dict[str, Any]) -> str:
    """Return the page."""
    # No text of the data can end the element that it is in.
    text = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    page = (PAGE / "page.html").read_text(encoding="utf-8")
    for name in ("page.css", "page.js"):
        page = page.replace(f"@{name}@", (PAGE / name).read_text(encoding="utf-8"))
    title = escape(f"{data['name']}: build report")
    return page.replace("@title@", title).replace("@data@", text)
