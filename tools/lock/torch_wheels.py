"""Finds wheels of Torch in the indexes of the machine's pip, and reads what they are built with."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from kernel_builder.machine.environment import PIP
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.mirrors.wheels import NEUTRAL, PATIENT
from kernel_builder.nix.systems import SYSTEMS, TABLE
from lock.wheels import ask, read_pin

# x86_64 first: it has every build.
LINUX: Final = tuple(name for name in reversed(SYSTEMS) if TABLE[name]["os"] == "linux")
(MAC,) = (name for name in SYSTEMS if TABLE[name]["os"] == "darwin")


@dataclass(frozen=True)
class Wheel:
    """Torch for one system: its pin, and its requirements by project."""

    system: str
    python: str
    pin: Mapping[str, Any]
    requires: Mapping[str, str]

    @property
    def toolkit(self) -> str | None:
        """The release of CUDA that the wheel is built with, or None."""
        if self.system == MAC:
            return None
        names = "cuda-toolkit", "nvidia-cuda-runtime-cu12"
        specifier = next((self.requires[name] for name in names if name in self.requires), None)
        release = re.search(r"\d+\.\d+", specifier or "")
        return release[0] if release else specifier

    @property
    def release(self) -> str:
        """The version without its local part."""
        return Version(self.pin["version"]).public

    @property
    def compute(self) -> str:
        """The backend and toolkit, such as `cu130`."""
        return f"cu{self.toolkit.replace('.', '')}" if self.toolkit else "cpu"

    @property
    def build(self) -> str:
        """The name of the build, such as `2.13.0+cu130`."""
        return f"{self.release}+{self.compute}"


def find_torch(
    pip: Sequence[str], version: str | None, pythons: Sequence[str], folder: Path, *, pre: bool
) -> list[Wheel]:
    """Return the wheel for each system that has one, for the first of the Pythons that has.

    Without a version it is the newest, with `pre` of the pre-releases, too. Fails where there is
    none for Linux.
    """
    options = ["--pre"] if pre else []
    if version is None:
        found = _find(pip, ["torch", *options], LINUX[0], pythons, folder)
        newest = max((Version(wheel.pin["version"]) for wheel in found), default=None)
        if newest is None:
            raise _nothing_found(pip, "torch", pythons)
        version = str(newest)
    # Wheels of pre-releases have local versions, except for macOS. A version without one means any.
    asked = f"torch=={version}" if pre else f"torch==={version}"
    wheels = [
        wheel
        for system in (*LINUX, MAC)
        for words in [[asked.partition("+")[0] if system == MAC else asked, *options]]
        for wheel in islice(_find(pip, words, system, pythons, folder), 1)
    ]
    if all(wheel.system == MAC for wheel in wheels):
        raise _nothing_found(pip, asked, pythons)
    return wheels


def _find(
    pip: Sequence[str], words: Sequence[str], system: str, pythons: Sequence[str], folder: Path
) -> Iterator[Wheel]:
    for python in pythons:
        say(f"asking pip for {words[0]}: CPython {python}, {system}")
        answer = ask(pip, ["--no-deps", *words], system, python, folder)
        if isinstance(answer, str):
            say(answer.splitlines()[-1])
            continue
        entry = answer["torch"]
        lines = [Requirement(line) for line in entry["metadata"].get("requires_dist") or []]
        requires = {str(canonicalize_name(line.name)): str(line.specifier) for line in lines}
        yield Wheel(system, python, read_pin(entry), requires)


def _nothing_found(pip: Sequence[str], asked: str, pythons: Sequence[str]) -> KernelBuilderError:
    found = f"no {asked} for CPython {' or '.join(pythons)} on Linux"
    fix = "correct the version (`pip index versions torch`), or give pip an index that has it"
    # No index has this version, so pip only reports whether its indexes answer.
    words = ("download", "--no-input", "--no-deps", "--only-binary", ":all:", "torch<0.dev0")
    output = run([*pip, *words, *PATIENT], environment=NEUTRAL, inherit=PIP).stderr
    retries = [line for line in output.splitlines() if line.startswith("WARNING: Retrying")]
    found = "\n".join([found, *(f"pip says: {line}" for line in retries[:1])])
    problem = Problem(at=" ".join(pip), found=found, want="a wheel of Torch", fix=fix)
    return KernelBuilderError("no Torch can be added", [problem])
