"""What evaluating a whole matrix costs: relu with every build of Torch, and a kernel of many units.

The figures are of `nix-instantiate`, which keeps no cache of what it evaluated; `list-variants`
is the command as it is typed.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from tests.bench.measuring import Cost, measure, repeat, show
from tests.evaluation import ROOT, SYSTEM, outputs_of
from tests.tiny_kernel import TinyKernel

RELU = ROOT / "examples" / "relu"
UNITS = 300
VARIANTS = 5
# Of Torch 2: those whose builds for the CPU exist.
MINORS = range(10, 10 + VARIANTS)
# Each variant with all its objects, as the paths of their derivations.
PATHS = """map (variant: [ variant.drvPath ] ++ map (object: object.drvPath) variant.objects)"""
# Headers that include one another: the scan has something to follow.
HEADERS = 60


def measure_matrix(times: int) -> None:
    """The matrix of relu, the list of its variants, and many units."""
    every = (
        f"let o = {outputs_of(RELU)}; available = builtins.filter (v: v.unavailable == null) "
        f"o.variantDetails; in {PATHS} (map (v: o.redistributable.${{v.name}}) available)"
    )
    _measure("relu's default matrix", every, times, "at most 1.0")

    command = [str(ROOT / "python/bin/kernel-builder"), "list-variants", str(RELU)]
    for words in ([], ["--explain"]):
        costs = repeat(times, partial(measure, [*command, *words]))
        name = " ".join(["list-variants", *words])
        show(name, [cost.seconds for cost in costs], "s", aim="" if words else "at most 0.5")

    with tempfile.TemporaryDirectory() as folder:
        _write_units(Path(folder))
        names = " ".join(f'"torch2{minor}-cxx11-cpu-{SYSTEM}"' for minor in MINORS)
        many = (
            f"let o = {outputs_of(Path(folder))}; in "
            f"{PATHS} (map (name: o.redistributable.${{name}}) [ {names} ])"
        )
        _measure(f"{UNITS} units x {VARIANTS} variants", many, times, "at most 3")


def _measure(name: str, expression: str, times: int, aim: str) -> None:
    """Measure an expression whose value is a list of variants, each a list of derivations."""
    options = ["--eval", "--strict", "--read-write-mode", "--json"]
    argv = ["nix-instantiate", *options, "--expr", expression]
    variants = json.loads(subprocess.check_output(argv, stderr=subprocess.DEVNULL))
    count = _count_derivations([paths[0] for paths in variants])
    print(f"{name}: {len(variants)} variants, {count} derivations with all that they need")
    costs: list[Cost] = repeat(times, lambda: measure(argv))
    show(name, [cost.seconds for cost in costs], "s", aim=aim)
    memory = "at most 100" if "matrix" in name else ""
    show(f"{name}: memory", [cost.megabytes for cost in costs], "MB", 0, memory)


def _count_derivations(derivations: list[str]) -> int:
    argv = ["nix-store", "--query", "--requisites", *derivations]
    return sum(line.endswith(".drv") for line in subprocess.check_output(argv, text=True).split())


def _write_units(folder: Path) -> None:
    kernel = TinyKernel(folder)
    names = [f"part/part_{index}.cpp" for index in range(UNITS)]
    headers = [f"part/part_{index}.h" for index in range(HEADERS)]
    text = (folder / "build.toml").read_text()
    listed = ", ".join(json.dumps(name) for name in [*names, *headers])
    kernel.write("build.toml", text.replace('"answer/answer.cpp"', listed))
    for index, name in enumerate(headers):
        above = "" if index == 0 else f'#include "part_{index - 1}.h"\n'
        kernel.write(name, f"#pragma once\n{above}int of_{index}();\n")
    for index, name in enumerate(names):
        include = f'#include "part_{index % HEADERS}.h"\n'
        kernel.write(name, f"{include}int part_{index}() {{ return {index}; }}\n")
