"""Reads `.drv` files: what a build would be given, without building it.

The text of a `.drv` is a call of lists, tuples and strings that Python can read as it is, so no
Nix is asked and its version does not matter.
"""

from __future__ import annotations

import ast
import hashlib
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
        outputs={name: out for name, out, _algorithm, _hash in outputs},
        inputs={drv: frozenset(used) for drv, used in inputs},
        sources=frozenset(sources),
        system=system,
        builder=builder,
        args=tuple(args),
        env=dict(env),
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
