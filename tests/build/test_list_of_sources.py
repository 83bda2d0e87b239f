"""The list of sources beside a variant, which needs none of the sources."""

import json
from pathlib import Path
from typing import Any

import pytest
from cyclonedx.model.bom import Bom
from cyclonedx.output.json import JsonV1Dot6
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from tests.evaluation import ROOT, SYSTEM, build, evaluate, path_of

HASH = "sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
COMMIT = "a" * 40
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
      # A file of the same name of another owner, and a hash that is not hexadecimal.
      (packages.fetchArchive {{ owner = "Two"; repo = "tiny"; rev = "v1.0"; inherit hash; }})
      (packages.fetchPinned {{
        name = "vendor.run";
        url = "https://host/vendor.run";
        sha256 = hash;
        coordinates.sourceKind = "file";
      }})
      (packages.fetchArchive {{ url = "https://host/other_26.zip"; inherit hash; }})
      (packages.fetchKernel {{ repository = "Own/kernel"; commit = "{COMMIT}"; inherit hash; }})
    ];
  }}) ];
  files = {{ "notes/one and two.md" = {path_of(ROOT / "README.md")}; }};
  component = @component@;
  provenance = {{ kernel = {{ commit = "{COMMIT}"; dirty = true; }}; }};
}}).drvPath
"""
COMPONENTS = {
    "known": '{ name = "tiny"; version = 1; license = "MIT"; upstream = "https://host/[a] b"; }',
    "unknown": '{ name = "tiny"; version = null; license = null; upstream = null; }',
}


@pytest.fixture(scope="module", params=COMPONENTS)
def listed(request: pytest.FixtureRequest) -> str:
    """The list of a step with sources of each kind, of a kernel that states all or nothing."""
    return build(evaluate(LISTED.replace("@component@", COMPONENTS[request.param]))).read_text()


def sort_lists(value: Any) -> Any:
    """Return JSON with its lists in one order."""
    if isinstance(value, dict):
        return {name: sort_lists(each) for name, each in value.items()}
    if isinstance(value, list):
        return sorted(map(sort_lists, value), key=lambda each: json.dumps(each, sort_keys=True))
    return value


def test_the_list_has_the_form_of_cyclonedx(listed: str) -> None:
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(listed) is None
    # The library writes what it has read: no field is lost, and no name is spelt otherwise.
    read = Bom.from_json(json.loads(listed))  # type: ignore[attr-defined]
    read.metadata.timestamp = None
    written = JsonV1Dot6(read).output_as_string()
    assert sort_lists(json.loads(written)) == sort_lists(json.loads(listed))


def test_trees_are_named_by_tag_commit_and_address(listed: str) -> None:
    trees = {
        each["purl"]: (each["properties"], each.get("hashes"))
        for each in json.loads(listed)["components"]
        if not each.get("purl", "pkg:deb/").startswith(("pkg:deb/", "pkg:pypi/"))
    }

    def said_of(file: str) -> tuple[list[dict[str, str]], None]:
        # A hash of a tree is none that another program could compare.
        names = (("kernel-builder:file", file), ("kernel-builder:tree", HASH))
        return [{"name": name, "value": value} for name, value in names], None

    vendor = trees.pop("pkg:generic/vendor.run?download_url=https://host/vendor.run")
    assert vendor[1] == [{"alg": "SHA-256", "content": "0" * 64}]
    assert trees == {
        "pkg:github/own/tiny@v1.0": said_of("tiny-1.0.tar.gz"),
        "pkg:github/own/tiny@v2.0": said_of("tiny-2.0.tar.gz"),
        "pkg:github/two/tiny@v1.0": said_of("tiny-1.0.tar.gz"),
        "pkg:generic/other_26.zip?download_url=https://host/other_26.zip": said_of("other_26.zip"),
        f"pkg:huggingface/Own/kernel@{COMMIT}": said_of("Own-kernel"),
    }
