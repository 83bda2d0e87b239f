"""What makes a site of the documents, as a hook of MkDocs: README is its start, and files have addresses."""

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
START = ROOT / "README.md"
# Code has no links.
LINK = re.compile(
    r"^ *(?P<fence>`{3,}).*?^ *(?P=fence)$|`[^`\n]+`|\]\((?P<address>[^)\s]+)\)",
    re.MULTILINE | re.DOTALL,
)
# The file that a piece of code belongs to.
FILE = re.compile(r"^( *`{3,}\w+) (\S+)$", re.MULTILINE)


def on_files(files: Files, config: Any) -> Files:
    """Add README.md as the first page."""
    files.append(File.generated(config, "index.md", abs_src_path=str(START)))
    return files


def on_page_markdown(markdown: str, page: Any, config: Any, files: Files) -> str:
    """Return a page with links that hold on the site, and files of code as its titles."""
    source = page.file.src_uri
    folder = ROOT if source == "index.md" else (DOCS / source).parent

    def point(found: "re.Match[str]") -> str:
        if not found["address"] or re.match(r"[a-z]+:|#", found["address"]):
            return found[0]
        path, mark, anchor = found["address"].partition("#")
        target = (folder / path).resolve()
        if target == START:
            target = DOCS / "index.md"
        if DOCS in target.parents and target.suffix in (".json", ".md", ".png", ".svg"):
            place = os.path.relpath(target, (DOCS / source).parent)
        else:
            place = f"{config.repo_url}/blob/main/{target.relative_to(ROOT)}"
        return f"]({place}{mark}{anchor})"

    return FILE.sub(r'\1 title="\2"', LINK.sub(point, markdown))
