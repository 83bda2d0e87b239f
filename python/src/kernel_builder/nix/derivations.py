"""The derivation graph, as read from Nix's JSON.

The format changed over time: up to Nix 2.31 a map from full path to derivation, later with paths
that lack the store's folder, later still nested under `derivations` with `inputs.drvs`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DEFAULT_STORE = "/nix/store"

Graph = Mapping[str, "Derivation"]
# The name of a target of CUDA, and the capability that people write.
_SM, _CAPABILITY = re.compile(r"^(\d{1,4})(\d\w{0,2})$"), r"cuda \1.\2"


@dataclass(frozen=True)
class Derivation:
    """A derivation with what a walk over the graph needs."""

    path: str
    outputs: Mapping[str, str]
    inputs: Mapping[str, tuple[str, ...]]
    environment: Mapping[str, str]
    # Whether its outputs are known by their hash, so that Nix lets it use the network.
    is_fixed: bool = False

    @property
    def step(self) -> str:
        """The kind of a step of a kernel, which pkgs/bootstrap/make-step.nix lists; else empty."""
        return self.environment.get("step", "")

    @property
    def words(self) -> str:
        """Its name for people: a unit with its target, or what is left of the name in the store."""
        source = self.environment.get("source", "")
        # A package that is unpacked lies in the store.
        file = "" if source.startswith(DEFAULT_STORE) else source.rpartition("/")[2]
        part = {"device": self.environment.get("arch", ""), "host": "host", "gather": "all targets"}
        if file and self.step in part:
            return f"{file}, {_SM.sub(_CAPABILITY, part[self.step])}"
        # Without the ABI of C++ and the system, which are the same in all names.
        name = self.path[len(DEFAULT_STORE) + 34 :].removesuffix(".drv")
        name = re.sub(r"-cxx11(-\w+)-\w+-[a-z]+(?=-|$)", r"\1", name)
        return file or re.sub(r"^(.*)-extension$", r"link \1", name)

    @property
    def is_source(self) -> bool:
        """Whether it fetches a source."""
        return "sourceKind" in self.environment


def parse_graph(shown: Any) -> dict[str, Derivation]:
    """Return the derivations by path, whichever way this Nix printed them."""

    def full(path: str) -> str:
        return path if path.startswith("/") else f"{DEFAULT_STORE}/{path}"

    graph = {}
    for path, entry in shown.get("derivations", shown).items():
        environment = entry.get("env") or {}
        # A fixed output may be printed without its path, which then is a variable.
        outputs = {
            name: full(output.get("path") or environment[name])
            for name, output in entry["outputs"].items()
            if output.get("path") or environment.get(name)
        }
        inputs = entry["inputDrvs"] if "inputDrvs" in entry else entry["inputs"]["drvs"]
        names = (tuple(it if isinstance(it, list) else it["outputs"]) for it in inputs.values())
        wanted = dict(zip(map(full, inputs), names))
        is_fixed = any("hash" in output for output in entry["outputs"].values())
        graph[full(path)] = Derivation(full(path), outputs, wanted, environment, is_fixed)
    return graph


def list_closure(graph: Graph, root: str) -> set[str]:
    """Return the root and every derivation of the graph below it."""
    seen: set[str] = set()
    todo = [root]
    while todo:
        path = todo.pop()
        if path in graph and path not in seen:
            seen.add(path)
            todo += graph[path].inputs
    return seen


def is_result(path: Path) -> bool:
    """Return whether a path is a link into the store, as a build makes them."""
    return path.is_symlink() and str(path.readlink()).startswith(f"{DEFAULT_STORE}/")
