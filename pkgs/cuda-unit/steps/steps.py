"""nvcc's own steps, as `nvcc --dryrun` lists them, to be run one by one.

Read by the scripts in ../passes: they lay the kernel out, ask for the steps, and run those that
make their part.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

env = os.environ
# The sets of lean headers, see pkgs/lean-headers, in the order in which they are tried.
LEAN = ("tensors", "operators")
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
    variables: dict[str, str] = {}
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


def run_all(steps: "Iterable[Step]", output: "IO[str] | None" = None) -> bool:
    """Run steps until one fails; say whether none did. What they say goes to `output`, or to the user."""
    return all(subprocess.run(step.argv, stdout=output, stderr=output, check=False).returncode == 0 for step in steps)


def target(arch: str, ptx: bool) -> "list[str]":
    """Return the arguments that make nvcc compile for one target."""
    code = f"[sm_{arch},compute_{arch}]" if ptx else f"sm_{arch}"
    return ["-gencode", f"arch=compute_{arch},code={code}"]


def compile_arguments(headers: str) -> "list[str]":
    """Return the arguments of nvcc for this unit but for its targets."""
    # Before the folders of all packages, that of Torch among them.
    first = ["-isystem", f"{env['leanHeaders']}/{headers}"] if headers in LEAN else []
    return [*first, *env["flags"].splitlines(), "-c", env["source"], "-o", f"{STEM}.o"]


def uses_operators() -> bool:
    """Say whether the kernel's text calls functions like `at::empty`: headers without them are no use then."""
    files = [Path(line.partition(" ")[2]) for line in env["files"].splitlines()]
    return any(re.search(r"\b(at|torch)::[a-z_0-9]+\s*\(", file.read_text(errors="replace")) for file in files)


def with_fallback(part: str, make: "Callable[[str, IO[str] | None], bool]") -> str:
    """Call `make` with the headers that the plan has for this part; return those that served.

    What fails with lean headers fails without a word: with Torch's own, an error is the user's.
    """
    wanted = env["torchHeaders"]
    if wanted == "lean":
        # The host's part is where operators are called, so it is not tried without.
        for headers in LEAN[1:] if part == "host" or uses_operators() else LEAN:
            with tempfile.TemporaryFile("w+") as output:
                if make(headers, output):
                    output.seek(0)
                    print(output.read(), end="", file=sys.stderr)
                    return "lean"
        print(f"{env['source']}, {part}: does not compile with lean headers; compiled with Torch's own", flush=True)
        wanted = "full"
    if not make(wanted, None):
        sys.exit(1)
    return wanted
