"""One step of a compile as its derivation runs it, with made-up compilers."""

import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.evaluation import ROOT, call

COMPILE = ROOT / "pkgs/compile/compile-object/compile.sh"
STEPS = ROOT / "backends/cuda/pkgs/compile-unit/steps"
BUSYBOX = ROOT / f"pkgs/bootstrap/seed/{platform.machine()}-linux/bin/busybox"


def run_compile(
    folder: Path, compiler: str, unit: str = "", **variables: str
) -> subprocess.CompletedProcess[str]:
    """Compile the unit a.cpp of this text with a program of this text."""
    programs = folder / "programs"
    programs.mkdir()
    subprocess.run([BUSYBOX, "--install", "-s", programs], check=True)
    program = programs / "compiler"
    program.write_text(compiler)
    program.chmod(0o755)
    (folder / "unit").write_text(unit)
    files = folder / "files"
    files.write_text(f"{folder / 'unit'} a.cpp\n")
    environment = {
        "PATH": str(programs),
        "filesPath": str(files),
        "flags": "-O2\n-ffile-prefix-map=@build/kernel@=.",
        "layOut": str(ROOT / "pkgs/compile/unit-inputs/lay-out.sh"),
        "compiler": "compiler",
        "source": "a.cpp",
        "out": str(folder / "out"),
        "findings": str(folder / "findings"),
        **variables,
    }
    argv = [str(BUSYBOX), "sh", "-eu", str(COMPILE)]
    return call(*argv, status=None, cwd=folder, env=environment)


def run_steps(code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run Python that has the steps of nvcc."""
    environment = {**os.environ, "PYTHONPATH": str(STEPS), "source": "a.cu", **variables}
    argv = [sys.executable, "-c", f"import steps, sys\n{code}"]
    with tempfile.TemporaryDirectory() as folder:
        # A step writes beside the folder that it runs in.
        place = Path(folder) / "kernel"
        place.mkdir()
        return call(*argv, status=None, cwd=place, env=environment)
