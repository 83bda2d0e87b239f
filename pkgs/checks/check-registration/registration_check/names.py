"""The names of a Python file: those of Python's modules, those that the file binds, and its annotations."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


@dataclass(frozen=True)
class Names:
    """The names of one file.

    `modules` has the expressions for Python's modules, with the modules, and `bound` other names.
    `unevaluated` has annotations that no import evaluates.
    """

    modules: dict[str, str]
    bound: frozenset[str]
    unevaluated: frozenset[ast.AST]


def list_names(tree: ast.Module) -> Names:
    """Return the names of a file."""
    nodes = list(ast.walk(tree))
    futures = {alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names}
    skipped = frozenset(_list_annotations(nodes)) if "annotations" in futures else frozenset()
    return Names(dict(_list_modules(nodes)), frozenset(_list_bound(nodes)), skipped)


def _list_modules(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    for node in nodes:
        for alias in node.names if isinstance(node, ast.Import) else ():
            top = alias.name.split(".")[0]
            if top in getattr(sys, "stdlib_module_names", ()):
                yield alias.asname or alias.name, alias.name
                if not alias.asname:
                    yield top, top


def _list_bound(nodes: list[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield node.name


def _list_annotations(nodes: list[ast.AST]) -> Iterator[ast.AST]:
    for node in nodes:
        found = node.returns if isinstance(node, FUNCTIONS) else getattr(node, "annotation", None)
        if found:
            yield found
