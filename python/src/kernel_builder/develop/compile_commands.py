"""Writes compile_commands.json, by which editors and clangd know how each unit is compiled."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

from kernel_builder.develop.project import Project, fill_in
from kernel_builder.machine.process import run


def find_folders(find: str) -> tuple[str, str] | None:
    """Return the folders of Torch and of Python's headers, as the project's own program does."""
    python = shutil.which("python3") or sys.executable
    done = run([python, "-c", find])
    torch, separator, headers = done.stdout.strip().partition(";")
    return (torch, headers) if done.status == 0 and separator else None


def write_compile_commands(project: Project, folder: Path, torch: str, headers: str) -> str:
    """Return the file for the kernel in `folder`, with the Torch that was found."""
    cuda = find_cuda()
    entries = []
    for unit in project.units:
        flags = fill_in(unit.flags, lambda name: torch if name == "torch" else cuda, headers)
        entries.append(
            {
                "directory": str(folder),
                "file": unit.source,
                "arguments": [unit.compiler, *flags, "-c", unit.source],
            }
        )
    return json.dumps(entries, indent=2) + "\n"


def find_cuda() -> str:
    """Return the folder of the CUDA toolkit on the PATH, or where it usually is."""
    nvcc = shutil.which("nvcc")
    return str(Path(nvcc).resolve().parents[1]) if nvcc else "/usr/local/cuda"
