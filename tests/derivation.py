"""Reads `.drv` files: what a build would be given, without building it.

The text of a `.drv` is a call of lists, tuples and strings that Python can read as it is, so no
Nix is asked and its version does not matter.
"""

import ast
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path


@dataclass(frozen=True)
class Derivation:
    """One derivation: `inputs` maps a `.drv` to the outputs that are used of it."""

    path: str
    outputs: dict[str, str]
    inputs: dict[str, frozenset[str]]
    sources: frozenset[str]
    system: str
    builder: str
    args: tuple[str, ...]
    env: dict[str, str]
    # Nix knows the hash of its output before the build: a source.
    is_fixed: bool = False

    @property
    def name(self) -> str:
        """Its name, without the hash."""
        return self.env["name"]

    def __hash__(self) -> int:
        return hash(self.path)


@cache
def read_derivation(path: str) -> Derivation:
    """Return the derivation that the file `path` describes."""
    text = Path(path).read_text()
    assert text.startswith("Derive("), f"{path} is no derivation"
    outputs, inputs, sources, system, builder, args, env = ast.literal_eval(text[len("Derive") :])
    return Derivation(
        path=path,
        outputs={name: out for name, out, _algorithm, _digest in outputs},
        inputs={drv: frozenset(used) for drv, used in inputs},
        sources=frozenset(sources),
        system=system,
        builder=builder,
        args=tuple(args),
        env=dict(env),
        is_fixed=any(digest for *_, digest in outputs),
    )


def closure_of(path: str) -> Iterator[Derivation]:
    """Yield a derivation and all that it is made from, each once."""
    seen = {path}
    waiting = [path]
    while waiting:
        derivation = read_derivation(waiting.pop())
        yield derivation
        new = derivation.inputs.keys() - seen
        seen |= new
        waiting += new


def lacks_sources(path: str) -> bool:
    """Return whether a build of a derivation needs sources that the store does not have.

    What lies in the store counts as built, so most calls look at a few files alone.
    """
    seen = {path}
    waiting = [path]
    while waiting:
        derivation = read_derivation(waiting.pop())
        if all(map(os.path.lexists, derivation.outputs.values())):
            continue
        if derivation.is_fixed:
            return True
        new = derivation.inputs.keys() - seen
        seen |= new
        waiting += new
    return False


def named(path: str, ending: str) -> Derivation:
    """Return the one derivation below `path` whose name ends so."""
    (found,) = (item for item in closure_of(path) if item.name.endswith(ending))
    return found


def base_of(store_path: str) -> str:
    """Return a store path's name without folder and hash."""
    return Path(store_path).name.split("-", 1)[1]


def sha256_of(path: Path | str) -> str:
    """Return the hash of a file's content."""
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
