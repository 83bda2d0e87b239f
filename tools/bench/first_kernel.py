"""The first kernel on a bare machine: a Debian in a folder, with an empty store.

Ours is the README's first command, and starts with nothing. The other way has the same two units
with `torch/all.h`, as extensions are usually written, on a machine that has Python and g++ already.
Both end with an import.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.compared import Record
from bench.measuring import Cost, measure
from bench.ways import BY_HAND, OURS
from tests.evaluation import ROOT

MACHINES = ROOT / "tests/machines"
CASE = "from nothing"
# From the checkout to the checked variant.
BUILD = "cd /src && ./install.sh && kernel-builder build examples/relu --backend cpu --require-all"
UNITS = ("torch-ext/torch_binding.cpp", "relu_cpu/relu_cpu.cpp")
SETUP = f"""\
from setuptools import setup
from torch.utils import cpp_extension

extension = cpp_extension.CppExtension(
    "relu",
    {[*UNITS]},
    include_dirs=["torch-ext", "/src/pkgs/compile/link-extension"],
    define_macros=[("CPU_KERNEL", None)],
    extra_compile_args=["-O3", "-DNDEBUG", "-g0", "-fopenmp"],
)
commands = {{"build_ext": cpp_extension.BuildExtension}}
setup(name="relu", ext_modules=[extension], cmdclass=commands)
"""
# A user's steps. The pip is that of the virtual environment.
STEPS = """set -e
python3 -m venv /venv
. /venv/bin/activate
pip install --quiet torch==2.13.0+cpu ninja numpy setuptools
cd /project
python setup.py build_ext --build-temp=build --build-lib=made
python -c "import torch; torch.ops.load_library('$(echo made/relu*.so)')"
"""
PACKAGES = ("g++", "python3-dev", "python3-venv")


def find_obstacle() -> str:
    """Say why there can be no bare machine here; nothing if there can."""
    argv = [str(MACHINES / "obstacle.sh")]
    return subprocess.run(argv, capture_output=True, text=True, check=True).stdout.strip()


def take_turn(folder: Path, turn: int, record: Record) -> None:
    """Make both machines, then measure; `turn` says which begins."""
    bare = make_machine(folder / "bare", ())
    prepared = make_machine(folder / "prepared", PACKAGES)
    project = shutil.copytree(ROOT / "examples/relu", prepared / "project", symlinks=True)
    (project / "setup.py").write_text(SETUP)
    for unit in UNITS:
        text = (project / unit).read_text()
        (project / unit).write_text(f"#include <torch/all.h>\n{text}")
    runs = ((OURS, bare, BUILD), (BY_HAND, prepared, STEPS))
    for name, machine, script in runs if turn % 2 == 0 else runs[::-1]:
        record(CASE, name, run_inside(machine, script))


def make_machine(root: Path, packages: Sequence[str]) -> Path:
    """Make a Debian with a checkout."""
    argv = [str(MACHINES / "make.sh"), "bookworm", str(root), *packages]
    subprocess.run(argv, check=True, capture_output=True)
    subprocess.run([str(MACHINES / "copy-checkout.sh"), str(root / "src")], check=True)
    return root


def run_inside(machine: Path, script: str) -> Cost:
    """Run a script on a machine, and measure it."""
    return measure([str(MACHINES / "enter.sh"), str(machine), "bash", "-c", script])
