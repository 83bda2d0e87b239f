"""The Python of the command line that Nix builds for shells holds all that its modules import."""

from __future__ import annotations

import ast
import subprocess
import sys

from tests.evaluation import ROOT, SYSTEM, build, evaluate, path_of

SOURCE = ROOT / "python" / "src" / "kernel_builder"


def imported() -> set[str]:
    """Return the packages that modules of the command line import, also inside functions."""
    found = set()
    for file in SOURCE.rglob("*.py"):
        if "templates" in file.parts:
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                found.add((node.module or "").partition(".")[0])
    return found - set(sys.stdlib_module_names)


def test_it_has_every_package_that_its_modules_import() -> None:
    packages = f"(import {path_of(ROOT)}).packages.{SYSTEM}"
    program = build(evaluate(f"{packages}.kernelBuilder.drvPath")) / "bin" / "kernel-builder"
    wanted = imported()
    assert wanted >= {"click", "tomlkit"}
    look = (
        "import importlib.util as i, sys; print(*(n for n in sys.argv[1:] if not i.find_spec(n)))"
    )
    python = program.resolve().parent / "python3"
    done = subprocess.run(
        [python, "-I", "-c", look, *sorted(wanted)], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
