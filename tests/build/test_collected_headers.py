"""Headers of what `depends` names: their folders together, with the changes that are stated."""

import json
from pathlib import Path

import pytest

from kernel_builder.nix.quoting import nix_string
from tests.evaluation import ROOT, SYSTEM, NixError, build, evaluate, path_of


def collect(tree: Path, **edits: str) -> Path:
    """Build the headers of a tree with a folder `include`, edited."""
    (tree / "include" / "sub").mkdir(parents=True)
    (tree / "include" / "sub" / "size.h").write_text("constexpr auto size = 3;\n")
    (tree / "include" / "other.h").write_text("\n")
    written = " ".join(f"{nix_string(file)} = {nix_string(edit)};" for file, edit in edits.items())
    drv = evaluate(
        f"((import {path_of(ROOT)}).packages.{SYSTEM}.collectHeaders {{ name = ''tiny''; "
        f"source = {path_of(tree)}; folders = [ ''include'' ]; "
        f"edits = {{ {written} }}; }}).drvPath"
    )
    return build(drv) / "include"


def test_headers_are_edited(tmp_path: Path) -> None:
    made = collect(tmp_path / "tree", **{"sub/size.h": "s/constexpr auto/constexpr int/"})
    assert (made / "sub" / "size.h").read_text() == "constexpr int size = 3;\n"
    assert (made / "other.h").read_text() == "\n"
    with pytest.raises(NixError, match=r"sub/size\.h: nothing to change with s/absent/x/"):
        collect(tmp_path / "other", **{"sub/size.h": "s/absent/x/"})


def test_every_edit_is_of_something_that_is_pinned() -> None:
    tables = [
        json.loads(file.read_text()) for file in (ROOT / "backends").glob("*/dependencies.json")
    ]
    edits = [(entry, table["depends"]) for table in tables for entry in table.get("edits", ())]
    assert edits
    for entry, depends in edits:
        assert entry["why"]
        assert set(entry["names"]) <= depends.keys()
        for name in entry["names"]:
            package = f"(import {path_of(ROOT)}).packages.{SYSTEM}.dependencies.{name}"
            drv = Path(evaluate(f"{package}.drvPath")).read_text()
            assert all(file in drv for file in entry["edits"])
