"""Finds calls of operators that no code of the kernel seems to define.

An operator may be defined for another backend, or later, and a macro may make its name. So the
import check has the last word: it asks the loaded kernel for each name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from registration_check.conditions import find_conditional
from registration_check.files import File

# Functions that need an operator, and do not define one.
USES = re.compile(r"register_\w+|impl|impl_abstract|opcheck")
# Exceptions of an operator that does not exist.
CATCHES = {"AttributeError", "RuntimeError", "NotImplementedError", "Exception", "BaseException"}
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)

# An included file may have the name of an operator.
CPP_COMMENT = re.compile(r'(?m:^[ \t]*#[ \t]*include\b[^\n]*)|("(?:\\.|[^"\\\n])*"|\\.)|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)')
# The name at the beginning of a string, with its overload: `"answer.out(int a) -> int"`, `"answer"`, `"ns::answer"`.
CPP_STRING = re.compile(r'"(?:\w+::)?(([A-Za-z]\w*)(?:\.\w+)?)(?=[("\s])')
# A macro that makes a string of its argument.
CPP_STRINGIZE = re.compile(r"#\s*define\b(?:[^\n]*\\\n)*[^\n]*[^#\n]#\s*[A-Za-z_]")


def find_unknown(files: Sequence[File], sources: Iterable[Path]) -> dict[str, Any]:
    """Return the operators that files call and nothing seems to define.

    Each has the lines of its calls (`at`), and whether all of them may never run (`conditional`).
    `sources` are the C++ files: those of this backend, and those that define operators for others.
    """
    trees = [(file.at, file.tree) for file in files if file.tree]
    known = {name for source in sources for name in list_cpp(source.read_text(errors="replace"))}
    texts = {text.rpartition("::")[2].partition("(")[0].strip() for _, tree in trees for text in list_texts(tree)}
    known |= texts | {text.partition(".")[0] for text in texts}
    unknown: dict[str, list[tuple[str, bool]]] = {}
    for at, tree in trees:
        for name, (line, is_conditional) in list_calls(tree).items():
            # `hasattr(ops.answer, "out")` asks for an overload.
            if name not in known and name.partition(".")[2] not in known:
                unknown.setdefault(name, []).append((f"{at}:{line}", is_conditional))
    return {
        name: {"at": "\n".join(at for at, _ in calls), "conditional": all(each for _, each in calls)}
        for name, calls in unknown.items()
    }


def list_calls(tree: ast.Module) -> dict[str, tuple[int, bool]]:
    """Return the operators that a file names, each with a line and whether all its calls may never run.

    Names are `ops.NAME` or `ops.NAME.OVERLOAD`.

    The line is the first one that certainly runs, if there is one. A call that catches the error of
    an operator that does not exist does not count.
    """
    calls: dict[str, list[tuple[bool, int]]] = {}
    for node, name, is_conditional in _list_names(tree):
        if not node.attr.startswith("_"):
            calls.setdefault(name, []).append((is_conditional, node.lineno))
    return {name: (line, is_conditional) for name, (is_conditional, line) in zip(calls, map(min, calls.values()))}


def list_uses(files: Sequence[File]) -> list[dict[str, Any]]:
    """Return the calls of operators with all of their arguments written out.

    Each has the operator's `name`, the number of `positional` arguments and the names of the others (`keywords`), its
    line (`at`), and whether it may never run (`conditional`).
    """
    uses = []
    for file in files:
        named = {node: (name, is_conditional) for node, name, is_conditional in _list_names(file.tree)}
        for node in ast.walk(file.tree) if file.tree and named else ():
            if not isinstance(node, ast.Call) or node.func not in named:
                continue
            name, is_conditional = named[node.func]
            keywords = [each.arg for each in node.keywords]
            if all(keywords) and not any(isinstance(each, ast.Starred) for each in node.args):
                use = {"name": name, "positional": len(node.args), "keywords": keywords}
                uses.append({**use, "at": f"{file.at}:{node.lineno}", "conditional": is_conditional})
    return uses


def _list_names(tree: ast.Module | None) -> Iterator[tuple[ast.Attribute, str, bool]]:
    """Yield each `ops.NAME` and `ops.NAME.OVERLOAD` of a file, its name, and whether it may never run."""
    owners = _find_owners(tree) if tree else set()
    if tree is None or not owners:
        return
    conditional = find_conditional(tree)
    for node in _walk(tree, {owner.split(".")[0] for owner in owners}):
        if not isinstance(node, ast.Attribute):
            continue
        owner, _, name = ast.unparse(node.value).rpartition(".")
        if ast.unparse(node.value) in owners:
            yield node, node.attr, node in conditional
        elif owner in owners:
            yield node, f"{name}.{node.attr}", node in conditional


def _find_owners(tree: ast.Module) -> set[str]:
    """Return what a file calls the kernel's operators."""
    owners = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            for alias in node.names:
                bound = alias.asname or alias.name
                if alias.name == "ops" and (node.module or "").split(".")[-1] == "_ops":
                    owners.add(bound)
                elif alias.name == "_ops" and not node.module:
                    owners.add(f"{bound}.ops")
    return owners


def _walk(node: ast.AST, names: set[str]) -> Iterator[ast.AST]:
    """Yield the nodes below one, without functions that have `names` of their own."""
    yield node
    inner = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Try) and any(_catches(handler) for handler in node.handlers):
        inner = [*node.handlers, *node.orelse, *node.finalbody]
    for child in inner:
        if not isinstance(child, FUNCTIONS) or names.isdisjoint(_list_bound(child)):
            yield from _walk(child, names)


def _catches(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or not CATCHES.isdisjoint(re.findall(r"\w+", ast.unparse(handler.type)))


def _list_bound(function: ast.AST) -> Iterator[str]:
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def list_texts(node: ast.AST, *, is_passed: bool = False) -> Iterator[str]:
    """Yield the strings that are passed to functions: to define a name, or to ask for it as `hasattr` does."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_passed:
        yield node.value
    if isinstance(node, ast.Call):
        is_passed = True
        if USES.fullmatch(ast.unparse(node.func).rpartition(".")[2]):
            node = node.func
    for child in ast.iter_child_nodes(node):
        yield from list_texts(child, is_passed=is_passed)


def list_cpp(text: str) -> set[str]:
    """Return the names that C++ code may define: for this backend, or behind `#if` for another."""
    code = CPP_COMMENT.sub(lambda match: match[1] or " ", text)
    macros = re.findall(r"\w+", code) if CPP_STRINGIZE.search(code) else []
    return {*macros, *(name for match in CPP_STRING.findall(code) for name in match)}
