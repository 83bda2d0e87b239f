"""The imports of a Python file, with the conditions around them."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from registration_check.files import File
from registration_check.guards import ANY, Guards
from registration_check.names import FUNCTIONS, Names, list_names

CATCHES_IMPORT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "suppress"}
# A name of Python that is not there raises an AttributeError.
CATCHES_NEWER = {"SyntaxError", "AttributeError", "Exception", "BaseException"}


@dataclass(frozen=True)
class Context:
    """Facts about the code around an import.

    The import may be meant to fail, or only a newer Python may run it. `is_later` says whether a
    function or a condition is around it, so that an import of the file may not run it. `guards` are
    packages that are asked for before.
    """

    may_fail: bool = False
    may_be_newer: bool = False
    is_later: bool = False
    guards: frozenset[str] = frozenset()

    def joined(
        self, *, fail: bool = False, newer: bool = False, later: bool = False, guards: frozenset[str] = frozenset()
    ) -> Context:
        """Return the context of code inside of this one."""
        return Context(self.may_fail or fail, self.may_be_newer or newer, self.is_later or later, self.guards | guards)

    def may_lack(self, name: str) -> bool:
        """Return whether the code around an import knows what to do without this package."""
        return self.may_fail or not self.guards.isdisjoint({name, ANY})


@dataclass(frozen=True)
class Use:
    """One import: `target` has the parts of a module's name, below the kernel if `is_relative`.

    `target` is None for a relative import that leaves the kernel.
    """

    line: int
    text: str
    is_relative: bool
    target: tuple[str, ...] | None
    names: tuple[str, ...]
    context: Context


def list_uses(file: File, guards: Guards) -> list[Use]:
    """Return the imports of a file, and its uses of Python's own modules by their names."""
    if file.tree is None:
        return []
    return list(_Walk(file, guards, list_names(file.tree)).walk(file.tree, Context()))


@dataclass(frozen=True)
class _Walk:
    """A walk over the code of a file."""

    file: File
    guards: Guards
    names: Names

    def walk(self, node: ast.AST, context: Context) -> Iterator[Use]:
        if node in self.names.unevaluated:
            return
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Use(node.lineno, ast.unparse(node), False, tuple(alias.name.split(".")), (), context)
        elif isinstance(node, ast.ImportFrom):
            names, target = tuple(alias.name for alias in node.names), _find_target(self.file, node)
            yield Use(node.lineno, ast.unparse(node), node.level > 0, target, names, context)
        elif isinstance(node, ast.If):
            yield from self._walk_if(node, context)
        elif isinstance(node, ast.Try):
            yield from self._walk_try(node, context)
        elif isinstance(node, ast.With):
            managers = [ast.unparse(item.context_expr) for item in node.items]
            fail = any("suppress(" in manager or "raises(" in manager for manager in managers)
            yield from self._walk_all(ast.iter_child_nodes(node), context.joined(fail=fail))
        elif isinstance(node, (*FUNCTIONS, ast.Lambda)):
            yield from self._walk_all(ast.iter_child_nodes(node), context.joined(later=True))
        elif isinstance(node, ast.Attribute) and ast.unparse(node.value) in self.names.modules:
            module = self.names.modules[ast.unparse(node.value)]
            yield Use(node.lineno, ast.unparse(node), False, tuple(module.split(".")), (node.attr,), context)
        elif isinstance(node, ast.Name):
            if hasattr(builtins, node.id) and node.id not in self.names.bound:
                yield Use(node.lineno, node.id, False, ("builtins",), (node.id,), context)
        else:
            yield from self._walk_all(ast.iter_child_nodes(node), context)

    def _walk_all(self, nodes: Iterable[ast.AST], context: Context) -> Iterator[Use]:
        for node in nodes:
            yield from self.walk(node, context)
            context = context.joined(guards=self.guards.find_after(node))

    def _walk_if(self, node: ast.If, context: Context) -> Iterator[Use]:
        yield from self.walk(node.test, context)
        test = ast.unparse(node.test)
        apart = re.search(r"\bTYPE_CHECKING\b|__name__ ==|^False$|^0$", test) is not None
        newer = apart or "version_info" in test or "hasattr(" in test
        guards = self.guards.find(node.test)
        inside = context.joined(later=True, guards=guards)
        yield from self._walk_all(node.body, inside.joined(fail=apart, newer=newer))
        yield from self._walk_all(node.orelse, inside.joined(newer=newer and not apart))

    def _walk_try(self, node: ast.Try, context: Context) -> Iterator[Use]:
        caught = {word for each in node.handlers for word in _words(each.type)}
        fail, newer_syntax = not caught.isdisjoint(CATCHES_IMPORT), not caught.isdisjoint(CATCHES_NEWER)
        yield from self._walk_all(node.body, context.joined(fail=fail, newer=newer_syntax))
        yield from self._walk_all(node.handlers, context.joined(later=True))
        yield from self._walk_all([*node.orelse, *node.finalbody], context)


def _find_target(file: File, node: ast.ImportFrom) -> tuple[str, ...] | None:
    kept = len(file.package) + 1 - node.level if node.level else 0
    parts = node.module.split(".") if node.module else []
    return (*file.package[:kept], *parts) if kept >= 0 else None


def _words(caught: ast.expr | None) -> Collection[str]:
    return ["Exception"] if caught is None else re.findall(r"\w+", ast.unparse(caught))
