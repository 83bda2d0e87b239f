"""Finds operators that the Python files of a variant call under a misspelled name.

An unknown name alone is no mistake: kernels have wrappers of operators that only another backend
has, or that no longer exist. A name counts as misspelled if it is neither in C++ nor in a string of
the Python files, and is similar to an operator that the Python files never call.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from pathlib import Path

from kernel_builder.messages.problem import Problem

WORD = re.compile(r"[A-Za-z_]\w*")


def find_misspelled(
    folder: Path, shown_as: str, operators: "Sequence[str]", sources: "Sequence[str]"
) -> "list[Problem]":
    """Return a problem for each misspelled name.

    `operators` are schemas without their namespace, `sources` paths of the variant's C++ files.
    """
    trees = {file: ast.parse(file.read_bytes()) for file in sorted(folder.rglob("*.py"))}
    registered = {schema.partition("(")[0].partition(".")[0] for schema in operators}
    nodes = [node for tree in trees.values() for node in ast.walk(tree)]
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    # `hasattr(ops, "name")`, and operators that Python registers when a function is called.
    strings = find_words(str(node.value) for node in nodes if isinstance(node, ast.Constant))
    in_cpp = find_words(Path(file).read_text(errors="replace") for file in sources)
    known = registered | strings | in_cpp
    by_string = [node.args[1] for node in nodes if isinstance(node, ast.Call) and is_getattr(node)]
    if not all(isinstance(each, ast.Constant) for each in by_string):
        return []
    named = {str(each.value) for each in by_string if isinstance(each, ast.Constant)}
    unused = sorted(registered - attributes - named)
    problems = []
    for file, tree in trees.items():
        for node in find_uses(tree):
            if node.attr not in known and (near := get_close_matches(node.attr, unused, 1)):
                problems.append(
                    Problem(
                        f"{shown_as}/{file.relative_to(folder)}:{node.lineno}",
                        f"{ast.unparse(node)}, which neither C++ nor Python registers",
                        f"one of the operators of this kernel: {', '.join(sorted(registered))}",
                        f'did you mean "{near[0]}"?',
                    )
                )
    return problems


def is_getattr(call: ast.Call) -> bool:
    """Return whether a call gets an attribute by a string."""
    functions = ("getattr", "hasattr")
    return isinstance(call.func, ast.Name) and call.func.id in functions and len(call.args) > 1


def find_words(texts: "Iterable[str]") -> "set[str]":
    """Return the words in these texts that may be names of operators."""
    return {word for text in texts for word in WORD.findall(text)}


def find_uses(tree: ast.Module) -> "Iterator[ast.Attribute]":
    """Yield `ops.NAME` outside of `try`, if `ops` is always what `._ops` has under this name."""
    imported = [
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        and node.level
        and (node.module or "").split(".")[-1] == "_ops"
        for alias in node.names
        if alias.name == "ops"
    ]
    names = set(imported) - set(_find_bound(tree))
    tries = [each for each in ast.walk(tree) if isinstance(each, ast.Try)]
    guarded = {id(node) for each in tries for node in ast.walk(each)}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Attribute) or id(node) in guarded or node.attr.startswith("_"):
            continue
        if isinstance(node.value, ast.Name) and node.value.id in names:
            yield node


def _find_bound(tree: ast.Module) -> "Iterator[str]":
    """Yield names that a module binds by anything but an import from `._ops`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and not (node.module or "").endswith("_ops")
        ):
            yield from (alias.asname or alias.name for alias in node.names)
