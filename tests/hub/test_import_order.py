"""An upload within this process does not depend on who imported the Hub's library first."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.evaluation import ROOT

UPLOAD = str(ROOT / "tests/hub/test_upload.py::test_build_and_card_on_main")


def test_the_library_was_imported_before() -> None:
    variables = {name: text for name, text in os.environ.items() if not name.startswith("HF_")}
    # pytest imports what `-p` names before any test.
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "huggingface_hub", UPLOAD]
    done = subprocess.run(
        argv, env=variables, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
