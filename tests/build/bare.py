"""Bare environments for Python, in which wheels are installed."""

import os
import shutil
import sys
import venv
from importlib.metadata import distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.evaluation import call

PROGRAMS = Path(sys.executable).parent


def run(*argv: str | Path, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": "", "COLUMNS": "500", **variables}
    done = call(*argv, env=environment)
    return done.stdout + done.stderr


def make_environment(folder: Path, *projects: str) -> Path:
    """Make an environment of these projects and what they require; return its Python."""
    venv.create(folder, with_pip=False)
    (site,) = folder.glob("lib/python*/site-packages")
    todo, known = [*projects], set()
    while todo:
        found = distribution(todo.pop())
        if found.name in known:
            continue
        known.add(found.name)
        for name in {Path(file).parts[0] for file in found.files or ()} - {".."}:
            source = Path(str(found.locate_file(name))).resolve()
            if name.endswith(".dist-info"):
                # uv does not follow links to these folders.
                shutil.copytree(source, site / name)
            elif source.exists() and not (site / name).exists():
                (site / name).symlink_to(source)
        for required in map(Requirement, found.requires or ()):
            if not required.marker or required.marker.evaluate({"extra": ""}):
                todo.append(required.name)
    return folder / "bin/python"
