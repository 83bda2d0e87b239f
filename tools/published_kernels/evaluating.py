"""Measure what Nix does for a kernel before it builds anything, with any kernel-builder."""

from __future__ import annotations

import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path

from bench.measuring import measure
from published_kernels.adopting import AdoptionError, use_builder
from tests.evaluation import FEATURES, SYSTEM, evaluate, path_of, run_nix

OF_A_SYSTEM = re.compile(r"-(?:darwin|linux)$")
CODE = {".c", ".cc", ".cpp", ".cu", ".cxx"}
WHO = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.invalid")


@dataclass(frozen=True)
class Found:
    """A kernel with one kernel-builder.

    `listing` and `bundling` say what it costs to list its variants, and to have the derivation of
    its bundle. The sets have paths of derivations: all that the bundle needs, and those that are
    new with a commit that changes nothing, and then with one in which `source` is edited.
    """

    variants: int
    listing: str
    bundling: str
    derivations: AbstractSet[str]
    recommitted: AbstractSet[str]
    edited: AbstractSet[str]
    source: str


def count_names(derivations: AbstractSet[str]) -> str:
    """Return how many derivations have the same name but for numbers, the most frequent first."""
    names = (path.split("-", 1)[1].removesuffix(".drv") for path in derivations)
    kinds = Counter(re.sub(r"\d+", "N", name) for name in names)
    ordered = sorted(kinds.items(), key=lambda each: (-each[1], each[0]))
    return ", ".join(f"{count} {kind}" for kind, count in ordered)


def first_source(kernel: Path) -> str:
    """Return the first source with code that a component of the kernel lists."""
    toml = evaluate(f"builtins.fromTOML (builtins.readFile {path_of(kernel / 'build.toml')})")
    components = toml.get("kernel", {})
    listed = [source for component in components.values() for source in component["src"]]
    sources = [source for source in listed if Path(source).suffix in CODE]
    if not sources:
        sys.exit(f"{kernel.name}/build.toml lists no source of C++ or CUDA")
    return str(sources[0])


def _commit(kernel: Path) -> None:
    for words in (["add", "--all"], ["commit", "--quiet", "--allow-empty", "-m", "a state"]):
        subprocess.run(["git", "-C", str(kernel), *WHO, *words], check=True)


def _lock(kernel: Path, flake: str) -> None:
    """Make the kernel one that is built by `flake`, in a repository of its own."""
    try:
        use_builder(kernel, flake)
    except AdoptionError as error:
        sys.exit(str(error))
    subprocess.run(["git", "-C", str(kernel), "init", "--quiet"], check=True)
    _commit(kernel)
    run_nix("nix", "flake", "lock", cwd=kernel)
    _commit(kernel)


def _derivations(kernel: Path) -> set[str]:
    bundle = run_nix("nix", "eval", "--raw", ".#bundle.drvPath", cwd=kernel)
    closure = run_nix("nix-store", "--query", "--requisites", bundle).split()
    return {path for path in closure if path.endswith(".drv")}


def _cost(kernel: Path, output: str, times: int) -> str:
    # Unlike its result, an evaluation itself is what is measured.
    argv = ["nix", *FEATURES, "eval", "--json", output, "--option", "eval-cache", "false"]
    costs = [measure(argv, cwd=kernel) for _ in range(times)]
    seconds = statistics.median(cost.core_seconds for cost in costs)
    megabytes = statistics.median(cost.megabytes for cost in costs)
    return f"{seconds:.2f} core s, {megabytes:.0f} MiB"


def evaluate_kernel(kernel: Path, flake: str, source: str | None, times: int) -> Found:
    """Evaluate a copy of the kernel with the kernel-builder that `flake` names."""
    with tempfile.TemporaryDirectory(prefix="evaluate-") as folder:
        copy = Path(folder).resolve() / kernel.name
        ignored = shutil.ignore_patterns(".git", "build", "result*", "flake.lock")
        shutil.copytree(kernel, copy, ignore=ignored)
        _lock(copy, flake)
        # The first time fetches what the flake needs, and writes what is new to the store.
        variants = json.loads(run_nix("nix", "eval", "--json", ".#variants", cwd=copy))
        local = [name for name in variants if SYSTEM in name or not OF_A_SYSTEM.search(name)]
        derivations = _derivations(copy)
        listing, bundling = (
            _cost(copy, output, times) for output in (".#variants", ".#bundle.drvPath")
        )
        _commit(copy)
        recommitted = _derivations(copy)
        edited = source or first_source(copy)
        with (copy / edited).open("a") as file:
            file.write("\n// edited\n")
        _commit(copy)
        return Found(
            variants=len(local),
            listing=listing,
            bundling=bundling,
            derivations=derivations,
            recommitted=recommitted - derivations,
            edited=_derivations(copy) - recommitted,
            source=edited,
        )
