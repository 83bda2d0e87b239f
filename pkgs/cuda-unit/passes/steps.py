"""nvcc's own steps, as `nvcc --dryrun` lists them, to be run one by one.

Read by the scripts beside it: they lay the kernel out, ask for the steps, and run those that
make their part.
"""

import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

env = os.environ
STEM = Path(env["source"]).stem if "source" in env else ""


@dataclass(frozen=True)
class Step:
    """One command, with what it is for."""

    kind: str
    argv: "list[str]"

    def option(self, name: str) -> str:
        """Return the argument that follows `name`."""
        return self.argv[self.argv.index(name) + 1]


def lay_out() -> None:
    """Make the kernel's files, under their own names, the current folder's."""
    Path("kernel").mkdir()
    os.chdir("kernel")
    for line in env["files"].splitlines():
        path, _, file = line.partition(" ")
        Path(file).parent.mkdir(parents=True, exist_ok=True)
        Path(file).symlink_to(path)
    Path(f"{STEM}.module_id").write_text(env["moduleId"])


def flags(lean: bool) -> "list[str]":
    """Return the unit's flags, with the lean headers before all packages if `lean`."""
    own = env["flags"].splitlines()
    if not lean:
        return own
    first = own.index("-isystem")
    return [*own[:first], "-isystem", env["lean"], *own[first:]]


def kind_of(argv: "list[str]") -> str:
    """Say what a command of nvcc's makes."""
    program = Path(argv[0]).name
    if program in ("cudafe++", "cicc", "ptxas", "fatbinary", "nvlink", "rm"):
        return program
    if "-E" in argv:
        device = any(word.startswith("-D__CUDA_ARCH__=") for word in argv)
        return "preprocess-device" if device else "preprocess-host"
    return "compile"


def steps(arguments: "list[str]") -> "list[Step]":
    """Return nvcc's steps for a call with these arguments, its variables already in place."""
    call = ["nvcc", "--dryrun", "--keep", "--keep-dir", ".", *arguments]
    listed = subprocess.run(call, stderr=subprocess.PIPE, text=True, check=False)
    variables: "dict[str, str]" = {}
    found = []
    for line in listed.stderr.splitlines():
        if not line.startswith("#$ "):
            print(line, file=sys.stderr)
            continue
        text = line[3:]
        assignment = re.match(r"([A-Za-z_]\w*)=(.*)", text)
        if assignment:
            variables[assignment.group(1)] = assignment.group(2)
            continue
        argv = [
            re.sub(r"\$(\w+)", lambda name: variables.get(name.group(1), name.group(0)), word)
            for word in shlex.split(text)
        ]
        argv = [
            f"-D__CUDA_ARCH_LIST__={env['archList']}" if word.startswith("-D__CUDA_ARCH_LIST__=") else word
            for word in argv
        ]
        found.append(Step(kind_of(argv), argv))
    if listed.returncode or not found:
        sys.exit(listed.returncode or "nvcc lists no steps for this unit")
    env["NVVMIR_LIBRARY_DIR"] = variables.get("NVVMIR_LIBRARY_DIR", "")
    return found


def run(step: Step, quiet: bool = False) -> bool:
    """Run a step; say whether it succeeded. Its own messages are what the user sees."""
    stderr = subprocess.DEVNULL if quiet else None
    return subprocess.run(step.argv, stdout=stderr, stderr=stderr, check=False).returncode == 0


def target(arch: str, ptx: bool) -> "list[str]":
    """Return the arguments that make nvcc compile for one target."""
    code = f"[sm_{arch},compute_{arch}]" if ptx else f"sm_{arch}"
    return ["-gencode", f"arch=compute_{arch},code={code}"]


def compile_arguments(lean: bool) -> "list[str]":
    """Return the arguments of nvcc for this unit but for its targets."""
    return [*flags(lean), "-c", env["source"], "-o", f"{STEM}.o"]
