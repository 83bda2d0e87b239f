"""Finds conditions that say whether a package is there, so that an import below them may be left out.

`HAS = find_spec("xformers") is not None` is such a condition, and so are names that a `try` around an
import sets, functions that do one of the two, and names that are made of others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

# Functions of `importlib` that find a package.
FINDERS = {"find_spec", "find_loader", "import_module", "__import__", "distribution", "version"}
CATCHES = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "PackageNotFoundError"}
# The package is an argument, as in `is_available("xformers")`.
ANY = "*"
LEAVES = (ast.Raise, ast.Return, ast.Continue, ast.Break)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Guards:
    """The names in a kernel's files that say whether packages are there, with these packages."""

    def __init__(self, trees: Iterable[ast.Module]) -> None:
        self.names: dict[str, frozenset[str]] = {}
        nodes = [node for tree in trees for node in ast.walk(tree)]
        known = -1
        # A name may be made of one that another file sets.
        while known != sum(map(len, self.names.values())):
            known = sum(map(len, self.names.values()))
            for node in nodes:
                for name, packages in self._list_bound(node):
                    if packages:
                        self.names[name] = self.names.get(name, frozenset()) | packages

    def _list_bound(self, node: ast.AST) -> Iterator[tuple[str, frozenset[str]]]:
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)) and node.value:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            packages = self.find(node.value)
            yield from ((target.id, packages) for target in targets if isinstance(target, ast.Name))
        elif isinstance(node, FUNCTIONS):
            inner = [each for statement in node.body for each in ast.walk(statement)]
            tried = (_list_tried(each) for each in inner if isinstance(each, ast.Try))
            asked = (_list_asked(each) for each in inner if isinstance(each, ast.Call))
            answers = [self.find(each.value) for each in inner if isinstance(each, ast.Return) and each.value]
            yield node.name, frozenset().union(*tried, *asked, *answers)
        elif isinstance(node, ast.Try) and (packages := _list_tried(node)):
            for each in ast.walk(node):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id, packages
                elif isinstance(each, ast.alias):
                    yield each.asname or each.name.split(".")[0], packages

    def find(self, condition: ast.AST) -> frozenset[str]:
        """Return the packages that a condition asks for."""
        found: set[str] = set()
        for node in ast.walk(condition):
            if isinstance(node, (ast.Name, ast.Attribute)):
                found |= self.names.get(node.id if isinstance(node, ast.Name) else node.attr, frozenset())
            elif isinstance(node, ast.Call):
                found |= _list_asked(node)
        if ANY in found:
            found |= {text for node in ast.walk(condition) for text in _list_texts(node)}
            found -= {ANY} if len(found) > 1 else set()
        return frozenset(found)

    def find_after(self, statement: ast.AST) -> frozenset[str]:
        """Return the packages that are there after a statement, which leaves or fails without them."""
        if isinstance(statement, ast.Assert):
            return self.find(statement.test)
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], LEAVES):
            return self.find(statement.test)
        # A function that fails without the package: `require("xformers")`.
        return self.find(statement) if isinstance(statement, ast.Expr) else frozenset()


def _list_tried(node: ast.Try) -> frozenset[str]:
    """Return the packages that a `try` imports, if it goes on without them."""
    caught = {
        each.id if isinstance(each, ast.Name) else "Exception" if each is None else ""
        for handler in node.handlers
        for each in (ast.walk(handler.type) if handler.type else [None])
    }
    inner = [each for statement in node.body for each in ast.walk(statement)] if caught & CATCHES else []
    names = {alias.name for each in inner if isinstance(each, ast.Import) for alias in each.names}
    names |= {each.module or "" for each in inner if isinstance(each, ast.ImportFrom) and not each.level}
    names |= {name for each in inner if isinstance(each, ast.Call) for name in _list_asked(each)}
    return frozenset(name.split(".")[0] for name in names)


def _list_asked(call: ast.Call) -> frozenset[str]:
    """Return the packages that a call of a finder asks for."""
    if ast.unparse(call.func).rpartition(".")[2] not in FINDERS:
        return frozenset()
    texts = {text for argument in call.args[:1] for text in _list_texts(argument)}
    return frozenset(texts or {ANY})


def _list_texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value.split(".")[0].replace("-", "_")
