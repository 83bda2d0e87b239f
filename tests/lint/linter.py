"""Runs a linter of the tests' Python; its output is the failure."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.evaluation import ROOT, call


def lint(program: str, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
    """Fail with what `program` prints, unless it is content with the tree."""
    # The linters of the interpreter's environment, which are the same on every machine.
    path = shutil.which(program, path=str(Path(sys.executable).parent))
    assert path is not None, f"no {program} beside {sys.executable}"
    env = {**os.environ, **(environment or {})}
    done = call(path, *arguments, status=None, cwd=ROOT, env=env, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        pytest.fail(f"{program} {' '.join(arguments)}\n{done.stdout}", pytrace=False)
