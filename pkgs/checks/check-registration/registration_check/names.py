"""Finds registrations of operators under a name that a Python file has as text.

The text is a string or f-string in the call, or a variable that the file binds once, to such a
string. The import check sees all names that an import registers; this one gives the line early.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

# Functions of torch.library that register something, and the parameter that has the name. It is the first one.
PARAMETERS = {
    "Library": "ns",
    "_scoped_library": "ns",
    "custom_op": "name",
    "define": "qualname",
    "impl": "qualname",
    "impl_abstract": "qualname",
    "register_autocast": "op",
    "register_autograd": "op",
    "register_fake": "op",
    "register_kernel": "op",
    "register_torch_dispatch": "op",
    "register_vmap": "op",
    "triton_op": "name",
}
LIBRARIES = ("Library", "_scoped_library")


@dataclass(frozen=True)
class Registration:
    """A call under a name that every other build would use, too; `is_later` if a function contains it."""

    call: ast.Call
    function: str
    name: str
    # Whether `name` is the whole name; otherwise it is the beginning.
    is_whole: bool
    is_later: bool


def find_registrations(tree: ast.Module) -> Iterator[Registration]:
    """Yield the calls in a file that would share a name with other builds of the kernel."""
    imports, constants = _read_names(tree)
    in_functions = set(_nodes_in_functions(tree))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: call.lineno):
        home, _, function = _read_path(call.func, imports).rpartition(".")
        if home != "torch.library" or function not in PARAMETERS:
            continue
        by_keyword = [word.value for word in call.keywords if word.arg == PARAMETERS[function]]
        for argument in [*call.args[:1], *by_keyword][:1]:
            name, is_whole = _read_text(argument, constants)
            if is_whole or (function not in LIBRARIES and "::" in name):
                yield Registration(call, function, name, is_whole, call in in_functions)


def _read_names(tree: ast.Module) -> tuple[dict[str, str], dict[str, ast.expr]]:
    """Return the dotted paths of imported names, and the values of names that are bound once."""
    imports: dict[str, str] = {}
    values: dict[str, ast.expr] = {}
    bindings: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                name = alias.asname or alias.name.partition(".")[0]
                imports[name] = alias.name if alias.asname else name
        elif isinstance(node, ast.ImportFrom):
            module = f"{'.' * node.level}{node.module or ''}"
            imports.update({alias.asname or alias.name: f"{module}.{alias.name}" for alias in node.names})
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            bindings[node.name] += 1
        elif isinstance(node, ast.arg):
            bindings[node.arg] += 1
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bindings[node.id] += 1
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if isinstance(target, ast.Name):
                    values[target.id] = node.value
    imports = {name: path for name, path in imports.items() if name not in bindings}
    return imports, {name: value for name, value in values.items() if bindings[name] == 1}


def _read_path(node: ast.expr, imports: dict[str, str]) -> str:
    """Return the dotted path of a function; empty if it does not begin with an imported name."""
    if isinstance(node, ast.Attribute) and (path := _read_path(node.value, imports)):
        return f"{path}.{node.attr}"
    return imports.get(node.id, "") if isinstance(node, ast.Name) else ""


def _read_text(node: ast.expr, constants: dict[str, ast.expr]) -> tuple[str, bool]:
    """Return the string that an expression is, or its beginning, and whether it is the whole string."""
    if isinstance(node, ast.Name):
        node = constants.get(node.id, node)
    text = ""
    for part in node.values if isinstance(node, ast.JoinedStr) else [node]:
        if not (isinstance(part, ast.Constant) and isinstance(part.value, str)):
            return text, False
        text += part.value
    return text, True


def _nodes_in_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes of function bodies. Decorators and defaults run when the module is imported."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in node.body:
                yield from ast.walk(statement)
        elif isinstance(node, ast.Lambda):
            yield from ast.walk(node.body)
