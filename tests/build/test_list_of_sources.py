"""The list of sources beside a variant, which needs none of the sources."""

from __future__ import annotations

import json
from pathlib import Path

from tests.evaluation import ROOT, SYSTEM, build, evaluate, path_of

HASH = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
LISTED = f"""
let
  packages = (import {path_of(ROOT)}).packages.{SYSTEM};
  hash = "{HASH}";
  tree = rev: packages.fetchArchive {{ owner = "Own"; repo = "tiny"; inherit rev hash; }};
in
(packages.listSources {{
  variant = "tiny";
  derivations = [ (packages.runStep {{
    name = "tiny";
    script = {path_of(Path(__file__))};
    env.sources = [
      (tree "v1.0")
      (tree "v2.0")
      (packages.fetchArchive {{ url = "https://host/other_26.zip"; inherit hash; }})
    ];
  }}) ];
  files = {{ }};
  component = {{ name = "tiny"; version = 1; license = null; upstream = null; }};
  provenance = {{ }};
}}).drvPath
"""


def test_trees_are_named_by_tag_and_by_address() -> None:
    listed = json.loads(build(evaluate(LISTED)).read_text())["components"]
    trees = {
        each["purl"]: (each["properties"], each.get("hashes"))
        for each in listed
        if not each["purl"].startswith(("pkg:deb/", "pkg:pypi/"))
    }

    def said_of(file: str) -> tuple[list[dict[str, str]], None]:
        # A hash of a tree is none that another program could compare.
        names = (("kernel-builder:file", file), ("kernel-builder:tree", HASH))
        return [{"name": name, "value": value} for name, value in names], None

    assert trees == {
        "pkg:github/own/tiny@v1.0": said_of("tiny-1.0.tar.gz"),
        "pkg:github/own/tiny@v2.0": said_of("tiny-2.0.tar.gz"),
        "pkg:generic/other_26.zip?download_url=https://host/other_26.zip": said_of("other_26.zip"),
    }
