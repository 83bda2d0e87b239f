"""A kernel without compiled code: built, and tested on Triton's interpreter for want of a GPU."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.author.authoring import Author
from tests.evaluation import ROOT, build_flake


@pytest.fixture(scope="module")
def softmax(author: Author) -> Path:
    """The example, with the Torch for CUDA that other suites have, too: each takes 6 GB."""
    folder = author.folder / "softmax"
    shutil.copytree(ROOT / "examples" / "softmax", folder)
    flake = folder / "flake.nix"
    own = "path = ./.;"
    few = f'{own}\n      torchVersions = builtins.filter (row: row.torch or "" == "2.13.0");'
    text = flake.read_text().replace("path:../..", f"git+file://{author.clone}")
    flake.write_text(text.replace(own, few))
    return folder


def test_data_files_are_published(softmax: Path) -> None:
    for backend in ("cuda", "rocm", "xpu"):
        variant = build_flake(f"path:{softmax}#redistributable.torch-{backend}")
        assert {"__init__.py", "launches.json"} <= {file.name for file in variant.iterdir()}


def test_its_own_tests_pass(author: Author, softmax: Path) -> None:
    words = ("run", f"path:{softmax}#ciTests.torch-cuda", "--no-write-lock-file", "--", "-q")
    assert re.search(r"^[1-9]\d* passed", author.nix(*words).stdout, re.MULTILINE)
