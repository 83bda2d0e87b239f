"""The command line as a process of its own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.evaluation import ROOT, call

PACKAGE = ROOT / "python" / "src"
# Starts it like python/bin/kernel-builder, without the two processes that look for a Python.
TOOLS = ROOT / "tools"
PATHS = f"import sys; sys.path[:0] = ['{PACKAGE}', '{TOOLS}']\n"
START = """
from runpy import run_module
run_module(sys.argv.pop(1), run_name="__main__", alter_sys=True)
"""


def python_argv(module: str = "kernel_builder", before: str = "") -> list[str]:
    """Return the command line that starts a program of this repository; `before` runs first."""
    bytecode = os.environ.get("PYTHONPYCACHEPREFIX")
    kept = ["-X", f"pycache_prefix={bytecode}"] if bytecode else ["-B"]
    return [sys.executable, "-I", *kept, "-c", PATHS + before + START, module]


@dataclass(frozen=True)
class Ran:
    status: int
    stdout: str
    stderr: str


class Expecting:
    """A command line whose status may be expected."""

    def __call__(self, *words: Any, **variables: Any) -> Ran:
        raise NotImplementedError

    def expect(self, status: int, /, *words: Any, **variables: Any) -> Ran:
        """Run it; fail if it ends with another status."""
        done = self(*words, **variables)
        assert done.status == status, f"{done.status}: {done.stdout}{done.stderr}"
        return done


@dataclass
class Cli(Expecting):
    folder: Path
    environment: dict[str, str] = field(default_factory=dict)
    # The program of maintainers, `lock`, lies beside the package.
    module: str = "kernel_builder"
    seconds: int = 120
    # The program that starts it, with its words.
    before: Sequence[str] = ()
    # Python code that runs before anything is imported.
    hook: str = ""

    def __call__(self, *words: str, **variables: str) -> Ran:
        argv = (*self.before, *python_argv(self.module, self.hook), *words)
        environment = {**os.environ, **self.environment, **variables}
        done = call(*argv, status=None, cwd=self.folder, env=environment, timeout=self.seconds)
        return Ran(done.returncode, done.stdout, done.stderr)


def path_with_nix(folder: Path, said: str) -> str:
    """Return a PATH whose `nix --version` says this; for all else it is the real one."""
    folder.mkdir()
    nix = folder / "nix"
    told = f'[ "$1" != --version ] || {{ echo "{said}"; exit; }}'
    nix.write_text(f'#!/bin/sh\n{told}\nPATH=${{PATH#*:}} exec nix "$@"\n')
    nix.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


def wait_for(condition: Callable[[], object], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not come to that"
        time.sleep(0.1)


class Started:
    """The command line in a process group of its own, which ends with the test."""

    def __init__(self, cli: Cli, *words: str, **variables: str) -> None:
        self.process = subprocess.Popen(
            [*python_argv(cli.module, cli.hook), *words],
            cwd=cli.folder,
            env={**os.environ, **cli.environment, **variables},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def __enter__(self) -> subprocess.Popen[str]:
        return self.process

    def __exit__(self, *_: object) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
