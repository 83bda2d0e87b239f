"""The first kernel on a bare machine: a Debian in a folder, with an empty store.

Ours starts with nothing. The other way's machine has Python and g++ already, which favours it. Both
build two units with `torch/all.h` and their binding, and import the result.
"""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path

from bench.compared import Record, salt
from bench.kernels import CPP, NAME, Kernel
from bench.measuring import Cost, measure
from bench.ways import BY_HAND, OURS, CppExtension
from tests.evaluation import ROOT, VARIANT

MACHINES = ROOT / "tests/machines"
CASE = "from nothing"
# From the checkout to the checked variant.
BUILD = "cd /src && ./install.sh && kernel-builder build /kernel --require-all"
# A user's steps. The pip is that of the virtual environment.
STEPS = f"""set -e
python3 -m venv /venv
. /venv/bin/activate
pip install --quiet torch==2.13.0+cpu ninja numpy setuptools
cd /project
python setup.py build_ext --build-temp=build --build-lib=made
python -c "import torch; torch.ops.load_library('$(echo made/{NAME}*.so)')"
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
    runs = ((OURS, bare, BUILD), (BY_HAND, prepared, STEPS))
    for name, machine, script in runs if turn % 2 == 0 else runs[::-1]:
        record(CASE, name, run_inside(machine, script))


def make_machine(root: Path, packages: Sequence[str]) -> Path:
    """Make a Debian with a checkout, a kernel, and the same as a project for setuptools."""
    argv = [str(MACHINES / "make.sh"), "bookworm", str(root), *packages]
    subprocess.run(argv, check=True, capture_output=True)
    subprocess.run([str(MACHINES / "copy-checkout.sh"), str(root / "src")], check=True)
    kernel = Kernel(root / "kernel", CPP, 2, [VARIANT])
    kernel.write_all(salt())
    CppExtension(lambda _: {}).write(kernel, root / "project", VARIANT)
    # Inside, the checkout has another place.
    for file in (root / "kernel/flake.nix", root / "project/setup.py"):
        file.write_text(file.read_text().replace(str(ROOT), "/src"))
    return root


def run_inside(machine: Path, script: str) -> Cost:
    """Run a script on a machine, and measure it."""
    return measure([str(MACHINES / "enter.sh"), str(machine), "bash", "-c", script])
