"""How something is called, and whether calls that were right stay so: pure functions."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Union

# What is different, and whether code breaks by it.
Difference = tuple[str, bool]
Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]

_SCHEMA = re.compile(r"([^(\s]+)\((.*)\) -> (.+)", re.DOTALL)
_TYPED = re.compile(r"(.*\S)\s+(\w+)(?:\s*=\s*(.*))?", re.DOTALL)
# What is between commas that are in no brackets or quotes.
_WORD = re.compile(r'(?:"[^"]*"|\([^)]*\)|\[[^\]]*\]|[^,])+')


@dataclass(frozen=True)
class Parameter:
    """One parameter; without a default it has to be given. Only operators state types."""

    name: str
    default: str | None = None
    by_position: bool = True
    by_name: bool = True
    type: str = ""


@dataclass(frozen=True)
class Signature:
    """Parameters in order, whether `*` and `**` take further ones, and what an operator returns."""

    parameters: tuple[Parameter, ...]
    further: frozenset[str] = frozenset()
    result: str = ""


def read_signature(node: Function, *, bound: bool) -> Signature:
    """Return the signature of a function; without its first parameter if that is bound."""
    asked = node.args
    names = [*asked.posonlyargs, *asked.args, *asked.kwonlyargs]
    only = len(asked.posonlyargs)
    placed = only + len(asked.args)
    defaults = [*[None] * (placed - len(asked.defaults)), *asked.defaults, *asked.kw_defaults]
    parameters = [
        Parameter(each.arg, ast.unparse(default) if default else None, i < placed, i >= only)
        for i, (each, default) in enumerate(zip(names, defaults))
    ]
    further = {"*": asked.vararg, "**": asked.kwarg}
    signs = frozenset(sign for sign, taken in further.items() if taken)
    return Signature(tuple(parameters[1 if bound and placed else 0 :]), signs)


def read_operator(schema: str) -> tuple[str, Signature]:
    """Return name and signature out of a schema of Torch, such as `relu(Tensor x) -> Tensor`.

    Raises ValueError for what is none.
    """
    parts = _SCHEMA.fullmatch(schema.strip())
    words = [word.strip() for word in _WORD.findall(parts[2])] if parts else []
    typed = {word: _TYPED.fullmatch(word) for word in words if word != "*"}
    if not parts or not all(typed.values()):
        raise ValueError(f"{schema!r} is no schema of an operator")
    named = words.index("*") if "*" in words else len(words)
    parameters = [
        Parameter(each[2], each[3], words.index(word) < named, type=each[1])
        for word, each in typed.items()
        if each
    ]
    return parts[1], Signature(tuple(parameters), result=parts[3])


def compare_signatures(old: Signature, new: Signature) -> Iterator[Difference]:
    """Yield what is different, and whether a call that was right can be wrong now."""
    then, now = ({each.name: each for each in one.parameters} for one in (old, new))
    was_placed, placed = (
        [each.name for each in one.parameters if each.by_position] for one in (old, new)
    )
    renamed = set()
    for name, was in then.items():
        place = was_placed.index(name) if was.by_position else len(placed)
        if name in now:
            yield from _compare(was, now[name])
        elif place < len(placed) and placed[place] not in then:
            renamed.add(placed[place])
            yield f"parameter {name} is called {placed[place]}", was.by_name
        else:
            ways = {"*" if was.by_position else "**", "**" if was.by_name else "*"}
            yield f"parameter {name} is gone", not ways <= new.further
    order = [name for name in placed if name in was_placed]
    if order != [name for name in was_placed if name in placed]:
        yield f"the order of parameters is {', '.join(order)}", True
    for name in [name for name in now if name not in then and name not in renamed]:
        behind = placed[placed.index(name) :] if name in placed else []
        shifted = [other for other in behind if other in was_placed]
        if now[name].default is None:
            yield f"new parameter {name} without a default", True
        elif shifted:
            yield f"new parameter {name} in front of {shifted[0]}", True
        else:
            yield f"new parameter {name} = {now[name].default}", "*" in old.further and bool(behind)
    for sign in sorted(old.further - new.further):
        yield f"further parameters ({sign}) are not taken", True
    if old.result != new.result:
        yield f"it returns {new.result}, not {old.result}", True


def _compare(was: Parameter, now: Parameter) -> Iterator[Difference]:
    """Yield how one parameter differs."""
    what = f"parameter {was.name}"
    if was.by_position and not now.by_position:
        yield f"{what} is given by name alone", True
    if was.by_name and not now.by_name:
        yield f"{what} is given by position alone", True
    if was.type != now.type:
        yield f"{what} is {now.type}, not {was.type}", now.type != f"{was.type}?"
    if was.default != now.default:
        default = f"{now.default} by default" if now.default else "without a default"
        before = f"not {was.default}" if was.default else "where it had none"
        yield f"{what} is {default}, {before}", now.default is None
