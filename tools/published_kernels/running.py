"""Evaluate and build published kernels with this kernel-builder."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import subprocess
import time
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from published_kernels.adopting import AdoptionError, adopt_kernel
from published_kernels.comparing import HERE, headline
from published_kernels.records import LEFT_OUT, Build, Record
from tests.evaluation import FEATURES, ROOT, SYSTEM, NixError, run_nix

COMMAND = ROOT / "python" / "bin" / "kernel-builder"
# The variants of one Torch and one toolkit, which the tests build, too: their sources are here.
PATTERNS = tuple(
    f"{start}-{compute}-*"
    for compute in ("cpu", "cu130")
    for start in ("torch213-cxx11", "torch-stable-abi*", "tvm-ffi*")
)
LINES_SHOWN = 2
SECONDS_OF_TESTS = 900
# The end of pytest's last line is its duration.
SUMMARY = re.compile(r"^=+ (.*) in [\d.]+s.* =+$", re.MULTILINE)
# Warnings of libraries.
OF_LIBRARIES = re.compile(r", \d+ warnings?")
FAILED = re.compile(r"\b(\d+) failed")
# The end of a test's line.
NO_GPU = ": AssertionError: Torch not compiled with CUDA enabled\n"
NO_TESTS = "nothing was tested"
LENGTH_SHOWN = 300
HASH = re.compile(r"/nix/store/[0-9a-z]{32}-")


@dataclass(frozen=True)
class Kernel:
    """A copy of a kernel that was evaluated, and facts of its variants on this system."""

    folder: Path
    record: Record
    variants: Sequence[dict[str, Any]] = ()

    def choose(self, backend: str, patterns: Sequence[str]) -> str | None:
        """Return the variant of a backend that matches the first pattern that any matches.

        Without patterns it is one with compiled code.
        """
        names = [
            each["name"]
            for each in self.variants
            if each["backend"] == backend and (each["compiled"] or patterns)
        ]
        matches = (name for one in patterns or PATTERNS for name in fnmatch.filter(names, one))
        return next(matches, None)

    def is_compiled(self, variant: str) -> bool:
        """Return whether a variant has compiled code."""
        return any(each["name"] == variant and each["compiled"] for each in self.variants)

    @property
    def repository(self) -> str:
        """The name under which tests load the kernel."""
        general = tomllib.loads((self.folder / "build.toml").read_text())["general"]
        return str(general.get("hub", {}).get("repo-id", ""))


def evaluate_kernel(source: Path, place: Path, builder: str) -> Kernel:
    """Evaluate a copy, below `place`, of the kernel in a folder; nothing is built."""
    copy, name = place / source.name, source.name
    apply = (HERE / "outline.nix").read_text()
    # A kernel of others may neither build during its evaluation nor change Nix's settings.
    options = ("allow-import-from-derivation", "accept-flake-config")
    words = [word for option in options for word in ("--option", option, "false")]
    try:
        adopt_kernel(source, copy, builder)
        asked = ("nix", "eval", "--json", f"path:{copy}#legacyPackages", "--apply", apply)
        systems = json.loads(run_nix(*asked, *words))
    except AdoptionError as error:
        return Kernel(copy, Record(name, error=str(error).replace(str(place), "")))
    except NixError as error:
        return Kernel(copy, Record(name, error=headline(str(error)).replace(str(place), "")))
    variants = [each["name"] for outputs in systems.values() for each in outputs["variants"]]
    here = systems[SYSTEM]
    whole = Counter(reason for each in here["newest"] for reason in each["whole"])
    units: dict[str, int] = {}
    for each in (each for outputs in systems.values() for each in outputs["newest"]):
        units[each["backend"]] = max(each["units"], units.get(each["backend"], 0))
    # Variants without compiled code have the same name on every system.
    record = Record(name, variants=tuple(sorted({*variants})), units=units, whole=whole)
    return Kernel(copy, record, here["variants"])


def build_variant(kernel: Kernel, variant: str, capability: str | None) -> Build:
    """Build a variant, in Nix's sandbox, as `kernel-builder build` does."""
    argv = [str(COMMAND), "build", str(kernel.folder), "--variant", variant, "--json"]
    argv += ["--capability", capability] if capability else []
    started = time.monotonic()
    # The progress goes to this program's standard error.
    done = subprocess.run(argv, stdout=subprocess.PIPE, text=True, check=False)
    build = Build(variant, "failed", round(time.monotonic() - started, 1), capability=capability)
    try:
        data = json.loads(done.stdout)
        (row,) = [each for each in data["variants"] if each["variant"] == variant]
    except (ValueError, KeyError):
        return replace(build, error=_shorten(done.stdout) or f"status {done.returncode}")
    if row["state"] == LEFT_OUT:
        return replace(build, state=LEFT_OUT, error=_shorten(row["why"]))
    if row["out"] is None:
        return replace(build, error=_describe_problem(data["problems"]) or row["why"])
    return replace(build, state="built" if row["unchecked"] else "imported", bytes=row["size"])


def run_tests(kernel: Kernel, variant: str, others: Sequence[Kernel]) -> str:
    """Run the tests marked `kernels_ci` of a built variant; return the line that pytest ends with.

    The public client loads the kernel, and `others`, from their builds. The tests are programs of
    others, and run outside of the sandbox.
    """
    local = [f"{each.repository}={each.folder / 'result'}" for each in others if each.repository]
    output = f"path:{kernel.folder}#ciTests.{variant}"
    try:
        done = subprocess.run(
            ["nix", *FEATURES, "run", "--no-write-lock-file", output, "--", "--tb=line"],
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS_OF_TESTS,
            env={**os.environ, "LOCAL_KERNELS": ":".join(local)},
        )
    except subprocess.TimeoutExpired:
        return f"failed: no end within {SECONDS_OF_TESTS} s"
    said = SUMMARY.findall(done.stdout)
    if NO_TESTS in done.stderr or "the kernel has no folder `tests`" in done.stderr:
        return "no tests"
    if not said:
        return f"failed: {_shorten(done.stderr[-LENGTH_SHOWN:])}"
    return describe_tests(said[-1], done.stdout)


def describe_tests(summary: str, output: str) -> str:
    """Return pytest's last line; a test that names a device that is not here has not failed."""
    text, lacking = OF_LIBRARIES.sub("", summary), output.count(NO_GPU)
    if not lacking or not (failed := FAILED.search(text)):
        return text
    others = int(failed[1]) - lacking
    instead = ([f"{others} failed"] if others else []) + [f"{lacking} need a GPU"]
    return FAILED.sub(", ".join(instead), text)


def can_build_for(kernel: Kernel, variant: str, capability: str) -> bool:
    """Return whether a variant has code for a device of this capability."""
    argv = [str(COMMAND), "list-variants", str(kernel.folder), "--arch", "--json"]
    done = subprocess.run(
        [*argv, "--capability", capability], capture_output=True, text=True, check=False
    )
    return done.returncode == 0 and variant in json.loads(done.stdout)["variants"]


def _describe_problem(problems: Sequence[dict[str, str]]) -> str:
    """Return the place and the reason of the first problem on one line."""
    return ": ".join(_shorten(problems[0][part]) for part in ("at", "found")) if problems else ""


def _shorten(text: str) -> str:
    """Return the first lines of a text on one line, without what differs from build to build."""
    lines = [line.strip() for line in HASH.sub("", text).strip().splitlines()]
    return " ".join(lines[:LINES_SHOWN])[:LENGTH_SHOWN]
