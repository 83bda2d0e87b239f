"""A stand-in for a GPU's runtime, which a program finds before the real one."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.derivation import Derivation


def compile_runtime(source: Path, archive: Derivation, library: Path, *flags: str) -> None:
    """Compile a stand-in with the compiler and the headers of the archive of launch errors."""
    gcc = shutil.which("gcc", path=archive.env["PATH"])
    assert gcc
    include = Path(archive.env["headers"]) / "include"
    argv = [gcc, "-w", "-shared", "-fPIC", *flags, "-isystem", str(include)]
    # The compiler starts an assembler and a linker by their names.
    environment = {"PATH": archive.env["PATH"]}
    subprocess.run([*argv, str(source), "-o", str(library)], check=True, env=environment)


def call_with(
    library: Path, variant: Path, python: str | Path, script: str, calls: Sequence[Any], **own: str
) -> list[tuple[Any, int]]:
    """Run a script that reads calls of a variant and prints a pair for each; return the pairs."""
    said = subprocess.run(
        [python, "-B", "-c", script],
        input=json.dumps(calls),
        env={"PYTHONPATH": str(variant), "LD_PRELOAD": str(library), "HOME": os.devnull, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert said.returncode == 0, said.stderr
    return [(answer, count) for answer, count in json.loads(said.stdout)]
