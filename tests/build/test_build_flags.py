"""Flags that only a build adds change no byte of an object."""

from __future__ import annotations

import subprocess
from pathlib import Path

from bench.one_unit import lay_out

from tests.build.test_precompiled import FULL, SOURCE, UNIT, read
from tests.evaluation import build

# On a small machine, gcc looks for memory to free from such a heap on.
OFTEN = ["--param=ggc-min-heapsize=131072", "--param=ggc-min-expand=30"]


def test_an_object_does_not_depend_on_how_often_gcc_frees_memory(tmp_path: Path) -> None:
    variant = read(tmp_path / "kernel", "false", {**FULL, SOURCE: UNIT})
    item, folder = variant.read_object(SOURCE), tmp_path / "alone"
    folder.mkdir()
    lay_out(item, folder)
    text = item.env["flags"].replace("@build/kernel@", str(folder))
    flags = [each for each in text.split("\n") if not each.startswith("--param=ggc-min-heapsize=")]
    assert len(flags) == text.count("\n")
    argv = [item.env["compiler"], *flags, *OFTEN, "-c", SOURCE, "-o", "unit.o"]
    subprocess.run(argv, cwd=folder, env={"PATH": item.env["PATH"]}, check=True)
    assert (folder / "unit.o").read_bytes() == build(item.path).read_bytes()
