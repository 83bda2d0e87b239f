"""The names of a module and what they are bound to, as far as a syntax tree tells.

Nothing is run: a name that is bound in a way that cannot be followed is bound to None.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
Named = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.ExceptHandler)


@dataclass(frozen=True)
class Imported:
    """What an import binds: a dotted path; `level` is the number of dots before it."""

    path: str
    level: int = 0


@dataclass
class Scope:
    """The bindings of a module, class or function; names that it lacks are its parent's."""

    parent: Scope | None = None
    bindings: dict[str, list[ast.expr | Imported | None]] = field(default_factory=dict)
    stars: list[Imported] = field(default_factory=list)
    is_class: bool = False

    def bind(self, name: str, value: ast.expr | Imported | None) -> None:
        """Add one more thing that the name can be."""
        self.bindings.setdefault(name, []).append(value)

    def find(self, name: str) -> tuple[Scope, list[ast.expr | Imported | None]]:
        """Return what a name can be, and the scope that says so."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.bindings and (scope is self or not scope.is_class):
                return scope, scope.bindings[name]
            if scope.parent is None:
                return scope, []
            scope = scope.parent
        raise AssertionError("internal error: a scope without a module")


def walk(tree: ast.Module) -> Iterator[tuple[ast.AST, Scope]]:
    """Yield every node with its scope, after all bindings are known."""
    pairs = list(_visit(tree, Scope()))
    yield from pairs


def _visit(node: ast.AST, scope: Scope) -> Iterator[tuple[ast.AST, Scope]]:
    yield node, scope
    _bind(node, scope)
    inner = scope
    outside: list[ast.AST] = []
    if isinstance(node, Function):
        inner = Scope(scope)
        arguments = node.args
        for argument in [
            *arguments.posonlyargs,
            *arguments.args,
            *arguments.kwonlyargs,
            *filter(None, [arguments.vararg, arguments.kwarg]),
        ]:
            inner.bind(argument.arg, None)
        # Decorators and defaults belong to where the function stands.
        outside = [*getattr(node, "decorator_list", []), *arguments.defaults, *filter(None, arguments.kw_defaults)]
    elif isinstance(node, ast.ClassDef):
        inner = Scope(scope, is_class=True)
        outside = [*node.decorator_list, *node.bases]
    for child in outside:
        yield from _visit(child, scope)
    skipped = set(map(id, outside))
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.arguments):
            continue
        if id(child) not in skipped:
            yield from _visit(child, inner)


def _bind(node: ast.AST, scope: Scope) -> None:
    if isinstance(node, ast.Import):
        for alias in node.names:
            # `import a.b` binds `a`, `import a.b as c` binds `a.b`.
            name = alias.asname or alias.name.partition(".")[0]
            scope.bind(name, Imported(alias.name if alias.asname else name))
    elif isinstance(node, ast.ImportFrom):
        module = node.module or ""
        for alias in node.names:
            if alias.name == "*":
                scope.stars.append(Imported(module, node.level))
            else:
                path = f"{module}.{alias.name}" if module else alias.name
                scope.bind(alias.asname or alias.name, Imported(path, node.level))
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            _bind_target(target, node.value, scope)
    elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)):
        if node.value is not None:
            _bind_target(node.target, node.value, scope)
    elif isinstance(node, ast.AugAssign):
        _bind_target(node.target, None, scope)
    elif isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        for value in node.iter.elts if isinstance(node.iter, (ast.Tuple, ast.List, ast.Set)) else [None]:
            _bind_target(node.target, value, scope)
    elif isinstance(node, (ast.With, ast.AsyncWith)):
        for item in node.items:
            if item.optional_vars is not None:
                _bind_target(item.optional_vars, item.context_expr, scope)
    elif isinstance(node, Named) and node.name:
        scope.bind(node.name, None)


def _bind_target(target: ast.expr, value: ast.expr | None, scope: Scope) -> None:
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, ast.Starred):
        _bind_target(target.value, None, scope)
    elif isinstance(target, (ast.Tuple, ast.List)):
        values: list[ast.expr | None] = [None] * len(target.elts)
        if isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts):
            values = list(value.elts)
        for each, part in zip(target.elts, values):
            _bind_target(each, part, scope)
