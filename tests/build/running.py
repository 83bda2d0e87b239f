"""Runs Python programs against built variants, in processes of their own as users do."""

import os
import sys
from pathlib import Path

from tests.evaluation import call


def run_python(*arguments: str, home: Path, path: Path | str = "", cwd: Path | None = None) -> str:
    """Run the tests' Python with `path` on its search path; return what it prints."""
    environment = {
        **os.environ,
        "HOME": str(home),
        "HF_HOME": str(home),
        "HF_HUB_OFFLINE": "1",
        "PYTHONPATH": str(path),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return call(sys.executable, *arguments, env=environment, cwd=cwd).stdout


def ask_python(program: str, *arguments: str, home: Path, path: Path | str = "") -> str:
    """Run a program given as text; return what it prints, without the last line's end."""
    return run_python("-c", program, *arguments, home=home, path=path).strip()
