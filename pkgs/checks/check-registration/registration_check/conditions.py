"""Finds code that may never run: under a condition, after a way out, or in a function that only such code calls."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
LOOPS = (ast.For, ast.AsyncFor, ast.While)
DISPLAYS = (ast.Dict, ast.List, ast.Tuple, ast.Set)
# Fields of a node that run under a condition. Python 3.9 has no `match`.
FIELDS = {
    "If": {"body", "orelse"},
    "IfExp": {"body", "orelse"},
    "While": {"body", "orelse"},
    "Try": {"body", "handlers", "orelse"},
    "TryStar": {"body", "handlers", "orelse"},
    "match_case": {"guard", "body"},
    "Lambda": {"body"},
}
BLOCKS = ("body", "orelse", "finalbody")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


def find_conditional(tree: ast.Module) -> set[ast.AST]:
    """Return the nodes of a file that may never run when its functions are called."""
    found = {*_mark(tree, is_conditional=False)}
    shown = {child for node in ast.walk(tree) if isinstance(node, DISPLAYS) for child in ast.iter_child_nodes(node)}
    functions = [node for node in _list_private(tree) if not node.decorator_list]
    while True:
        more = [node for node in functions if node not in found and _is_called_within(node, tree, found | shown)]
        if not more:
            return found
        for node in more:
            found.update(_mark(node, is_conditional=True))


def _mark(node: ast.AST, *, is_conditional: bool) -> Iterator[ast.AST]:
    if is_conditional:
        yield node
    for child, may_not_run in _list_children(node):
        yield from _mark(child, is_conditional=is_conditional or may_not_run)


def _list_children(node: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the children of a node, each with whether it may not run although the node does."""
    fields = FIELDS.get(type(node).__name__, set())
    if isinstance(node, ast.Try) and not node.handlers:
        fields = set()
    if isinstance(node, COMPREHENSIONS) and any(each.ifs for each in node.generators):
        fields = {"elt", "key", "value"}
    for name, value in ast.iter_fields(node):
        left = False
        for number, child in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(child, ast.AST):
                is_later = isinstance(node, ast.BoolOp) and number > 0
                yield child, name in fields or is_later or left
                left = left or (isinstance(child, ast.stmt) and _leaves(child))


def _leaves(statement: ast.stmt, *, in_loop: bool = False) -> bool:
    """Return whether a statement may end its block. One that raises guards what follows."""
    if isinstance(statement, (ast.Return, ast.Break, ast.Continue)):
        return isinstance(statement, ast.Return) or not in_loop
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        return False
    parts = [statement, *getattr(statement, "handlers", ()), *getattr(statement, "cases", ())]
    inner = (each for part in parts for field in BLOCKS for each in getattr(part, field, ()))
    is_loop = in_loop or isinstance(statement, LOOPS)
    return any(_leaves(each, in_loop=is_loop) for each in inner)


def _list_private(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Yield the functions that only this file calls: private ones, and those within functions."""
    parents = [node for node in ast.walk(tree) if isinstance(node, (ast.Module, ast.ClassDef))]
    outer = {child for node in parents for child in node.body}
    for node in ast.walk(tree):
        if not isinstance(node, FUNCTIONS) or node.name.startswith("__"):
            continue
        if node.name.startswith("_") or node not in outer:
            yield node


def _is_called_within(function: ast.FunctionDef | ast.AsyncFunctionDef, tree: ast.Module, places: set[ast.AST]) -> bool:
    """Return whether a function has uses, and all of them are in `places` or in itself."""
    own = {*ast.walk(function)}
    named = {node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id == function.name}
    return not named.isdisjoint(places) and places.issuperset(named - own)
