"""What an expression is, as far as a syntax tree tells: a module or function of Torch, a text,
a name in the kernel's own namespace, or something that cannot be known."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from registration_check.functions import LIBRARIES, MODULES, PREFIX, PREFIXES
from registration_check.scopes import Imported, Scope

BUILTINS = ("getattr", "__import__")


@dataclass(frozen=True)
class Text:
    """A string; `is_whole` says whether it is all of it, or only how it begins."""

    value: str
    is_whole: bool = True


@dataclass(frozen=True)
class Prefixed:
    """A name that comes from `add_op_namespace_prefix`."""


@dataclass(frozen=True)
class Path:
    """A module, class or function, by its dotted path."""

    value: str


@dataclass(frozen=True)
class Library:
    """A `torch.library.Library`; the namespace that it is made with is "" if that cannot be known."""

    namespace: str


@dataclass(frozen=True)
class Unknown:
    """Anything else."""


Value = object


class Evaluator:
    """Evaluates expressions of the kernel's modules; `modules` are their scopes by dotted path."""

    def __init__(self, modules: dict[str, Scope]) -> None:
        self.modules = modules
        self._module_of = {id(scope): path for path, scope in modules.items()}
        # By scope and name; a name that is being looked up is unknown, should it lead to itself.
        self._known: dict[tuple[int, str], list[Value]] = {}

    def values(self, node: ast.expr | Imported | None, scope: Scope) -> Iterator[Value]:
        """Yield all that an expression can be."""
        if node is None:
            yield Unknown()
        elif isinstance(node, Imported):
            yield from self._imported(node, scope)
        elif isinstance(node, ast.Constant):
            yield Text(node.value) if isinstance(node.value, str) else Unknown()
        elif isinstance(node, ast.Name):
            yield from self._named(node.id, scope)
        elif isinstance(node, ast.NamedExpr):
            yield from self.values(node.value, scope)
        elif isinstance(node, ast.IfExp):
            yield from self.values(node.body, scope)
            yield from self.values(node.orelse, scope)
        elif isinstance(node, ast.Attribute):
            for value in self.values(node.value, scope):
                yield from self._attribute(value, node.attr)
        elif isinstance(node, ast.JoinedStr):
            yield self._join([self._part(part, scope) for part in node.values])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            yield self._join([self._one(side, scope) for side in (node.left, node.right)])
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            yield self._until(self._one(node.left, scope), "%")
        elif isinstance(node, ast.Call):
            yield from self._called(node, scope)
        else:
            yield Unknown()

    def _one(self, node: ast.expr, scope: Scope) -> Value:
        found = set(self.values(node, scope))
        return found.pop() if len(found) == 1 else Unknown()

    def _part(self, node: ast.expr, scope: Scope) -> Value:
        if isinstance(node, ast.FormattedValue):
            plain = node.conversion == -1 and node.format_spec is None
            return self._one(node.value, scope) if plain else Unknown()
        return self._one(node, scope)

    @staticmethod
    def _join(parts: list[Value]) -> Value:
        text = ""
        for part in parts:
            if isinstance(part, Prefixed) and not text:
                return part
            if not isinstance(part, Text):
                return Text(text, is_whole=False)
            text += part.value
            if not part.is_whole:
                return Text(text, is_whole=False)
        return Text(text)

    @staticmethod
    def _until(value: Value, sign: str) -> Value:
        if not isinstance(value, Text):
            return Unknown()
        before, found, _ = value.value.partition(sign)
        return Text(before, is_whole=value.is_whole and not found)

    def _named(self, name: str, scope: Scope) -> Iterator[Value]:
        home, bindings = scope.find(name)
        key = id(home), name
        if key not in self._known:
            self._known[key] = [Unknown()]
            self._known[key] = list(dict.fromkeys(self._bound(name, home, bindings)))
        yield from self._known[key]

    def _bound(self, name: str, home: Scope, bindings: list[ast.expr | Imported | None]) -> Iterator[Value]:
        for binding in bindings:
            yield from self.values(binding, home)
        if bindings:
            return
        if name in BUILTINS:
            yield Path(name)
        for star in home.stars:
            for module in self._imported(star, home):
                yield from self._attribute(module, name)

    def _imported(self, imported: Imported, scope: Scope) -> Iterator[Value]:
        if not imported.level:
            yield Path(imported.path)
            return
        if imported.path.rpartition(".")[2] in PREFIXES:
            yield Path(PREFIX)
            return
        while scope.parent is not None:
            scope = scope.parent
        package = self._module_of[id(scope)].split(".")[: -imported.level]
        yield from self._member([*package, *filter(None, imported.path.split("."))])

    def _member(self, parts: list[str]) -> Iterator[Value]:
        """Yield a module of the kernel, or what such a module binds a name to."""
        for name in (".".join(parts), ".".join([*parts, "__init__"])):
            if name in self.modules:
                yield Path(f".{'.'.join(parts)}")
                return
        home, name = parts[:-1], parts[-1] if parts else ""
        for module in (".".join(home), ".".join([*home, "__init__"])):
            if module in self.modules:
                yield from self._named(name, self.modules[module])
                return
        yield Unknown()

    def _attribute(self, value: Value, name: str) -> Iterator[Value]:
        if not isinstance(value, Path):
            yield Unknown()
        elif not value.value.startswith("."):
            yield Path(f"{value.value}.{name}")
        elif name in PREFIXES:
            yield Path(PREFIX)
        else:
            yield from self._member([*filter(None, value.value.split(".")), name])

    def _called(self, node: ast.Call, scope: Scope) -> Iterator[Value]:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "format":
            yield self._until(self._one(node.func.value, scope), "{")
            return
        for function in self.values(node.func, scope):
            if not isinstance(function, Path):
                yield Unknown()
            elif function.value.rpartition(".")[2] in PREFIXES:
                yield Prefixed()
            elif function.value in LIBRARIES:
                for namespace in self.values(argument(node, 0, "ns"), scope):
                    if isinstance(namespace, Text) and namespace.is_whole:
                        yield Library(namespace.value)
                    else:
                        yield Library("")
            elif function.value == "getattr" and len(node.args) > 1:
                name = self._one(node.args[1], scope)
                for value in self.values(node.args[0], scope):
                    if isinstance(name, Text):
                        yield from self._attribute(value, name.value)
            elif function.value in ("importlib.import_module", "__import__"):
                name = self._one(node.args[0], scope) if node.args else Unknown()
                yield Path(name.value) if isinstance(name, Text) and name.value in MODULES else Unknown()
            else:
                yield Unknown()


def argument(call: ast.Call, place: int, name: str) -> ast.expr | None:
    """Return an argument that is given by its place or its name."""
    if len(call.args) > place:
        return call.args[place]
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)
