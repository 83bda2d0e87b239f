"""Finds names of operators that a Python file states itself, as far as its syntax tree tells.

A name counts if it is a string, or a variable that its file binds once and to a string. The import
check sees all other names that an import registers.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

# Functions of Torch that register something, with the parameter that has the name; it is the first.
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
# The public module, and those inside Torch that have some of the functions.
MODULES = ("torch.library", "torch._library.custom_ops", "torch._library.triton", "torch._custom_ops")
# Steps from a name to what it stands for; names may lead to each other in a circle.
STEPS = 8


@dataclass(frozen=True)
class Registration:
    """A call under a name that another build would have, too; `is_later` if it is in a function."""

    call: ast.Call
    function: str
    name: str
    # Whether `name` is all of it, or its beginning.
    is_whole: bool
    is_later: bool


class Module:
    """One Python file: its path below the package, its text and tree, and what its names stand for."""

    def __init__(self, path: str, text: str, tree: ast.Module) -> None:
        self.path, self.text, self.tree = path, text, tree
        # Dotted paths of what is imported, with dots before those of the kernel's own.
        self.imports: dict[str, str] = {}
        self.values: dict[str, ast.expr] = {}
        bound: Counter[str] = Counter()
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    path = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.imports[alias.asname or path] = path
            elif isinstance(node, ast.ImportFrom):
                module = f"{'.' * node.level}{node.module or ''}"
                names = {alias.asname or alias.name: alias.name for alias in node.names}
                if "*" in names and module in MODULES:
                    names = {name: name for name in PARAMETERS}
                self.imports.update({name: f"{module}.{each}" for name, each in names.items()})
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                bound[node.name] += 1
            elif isinstance(node, ast.arg):
                bound[node.arg] += 1
            elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                bound[node.id] += 1
            elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Name):
                        self.values[target.id] = node.value
        self.bound = set(bound)
        self.values = {name: value for name, value in self.values.items() if bound[name] == 1}

    @property
    def dots(self) -> str:
        """The package in a relative import of this file."""
        return "." * (self.path.count("/") + 1)

    def path_of(self, node: ast.expr, steps: int = STEPS) -> str:
        """Return the dotted path of a module or function; empty if it cannot be known."""
        if isinstance(node, ast.Attribute) and (path := self.path_of(node.value, steps)):
            return f"{path}.{node.attr}"
        if not isinstance(node, ast.Name) or not steps:
            return ""
        if node.id in self.values:
            return self.path_of(self.values[node.id], steps - 1)
        return "" if node.id in self.bound else self.imports.get(node.id, "")

    def text_of(self, node: ast.expr, others: dict[str, Module], steps: int = STEPS) -> tuple[str, bool]:
        """Return the string that an expression is, or its beginning, and whether it is all of it."""
        parts: list[ast.expr] = []
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value, True
        if isinstance(node, ast.Name) and node.id in self.values and steps:
            return self.text_of(self.values[node.id], others, steps - 1)
        if isinstance(node, (ast.Name, ast.Attribute)) and (path := self.path_of(node)).startswith("."):
            file, _, name = path.lstrip(".").rpartition(".")
            other = others.get(file.rpartition(".")[2])
            return other.text_of(ast.Name(name, ast.Load()), others, steps - 1) if other and steps else ("", False)
        if isinstance(node, (ast.NamedExpr, ast.FormattedValue)):
            return self.text_of(node.value, others, steps)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            return self.text_of(node.left, others, steps)[0].partition("%")[0], False
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            return self.text_of(node.func.value, others, steps)[0].partition("{")[0], False
        if isinstance(node, ast.JoinedStr):
            parts = node.values
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            parts = [node.left, node.right]
        text = ""
        for part in parts:
            more, is_whole = self.text_of(part, others, steps)
            text += more
            if not is_whole:
                return text, False
        return text, bool(parts)


def find_registrations(module: Module, modules: list[Module]) -> Iterator[Registration]:
    """Yield the calls in a file that would share a name with another build of the kernel."""
    others = {each.path.rpartition("/")[2][: -len(".py")]: each for each in modules}
    later = set(_nodes_in_functions(module.tree))
    calls = [node for node in ast.walk(module.tree) if isinstance(node, ast.Call)]
    for node in sorted(calls, key=lambda call: call.lineno):
        home, _, function = module.path_of(node.func).rpartition(".")
        if home not in MODULES or function not in PARAMETERS:
            continue
        by_word = [word.value for word in node.keywords if word.arg == PARAMETERS[function]]
        for argument in [*node.args[:1], *by_word][:1]:
            name, is_whole = module.text_of(argument, others)
            if is_whole or (function not in LIBRARIES and "::" in name):
                yield Registration(node, function, name, is_whole, node in later)


def _nodes_in_functions(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what runs when a function is called; its decorators and defaults run before."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in node.body:
                yield from ast.walk(statement)
        elif isinstance(node, ast.Lambda):
            yield from ast.walk(node.body)
