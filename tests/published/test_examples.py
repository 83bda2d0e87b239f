"""The examples of the existing tool: builds, tests that pass, and two that have to fail."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from published_kernels.comparing import HERE
from published_kernels.records import read_records
from tests.evaluation import ROOT

# A checkout of the existing tool: a test fetches nothing.
FOLDER = os.environ.get("EXISTING_TOOL")
RECORDS = ROOT / "docs" / "reference" / "published-examples.json"
# Examples that the existing tool refuses, and what we say.
REFUSED = {
    "relu-invalid-capability": "only targets that no known version of CUDA compiles for",
    "silu-and-mul-bad-registration": "torch.library.custom_op",
}


def test_the_records_have_every_example() -> None:
    records = read_records(RECORDS).kernels
    assert len(records) == 23
    for name, record in records.items():
        errors = [record.error, *(build.error for build in record.builds.values())]
        found = " ".join(filter(None, errors))
        assert (REFUSED.get(name, "") in found) if name in REFUSED else not found, name
        assert not any(build.fails_tests for build in record.builds.values()), name


@pytest.mark.skipif(FOLDER is None, reason="EXISTING_TOOL names no checkout of the existing tool")
def test_every_example_is_as_recorded(tmp_path: Path) -> None:
    assert FOLDER
    kernels = Path(FOLDER) / "examples" / "kernels"
    argv = [sys.executable, str(HERE / "run"), str(kernels), "--build", "0", "--test"]
    argv += ["--expected", str(RECORDS), "--json", str(tmp_path / "found.json")]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "found.json").read_text())["kernels"]
