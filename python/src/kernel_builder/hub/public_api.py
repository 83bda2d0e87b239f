"""What a kernel offers to those who load it, read from its Python files; none of them is run.

By the Hub's rule it is what `__all__` of the package lists. Where there is none, or one that is
computed, Python's convention stands in: names without an underscore that a module defines or a
package re-exports. `layers` counts always, since clients look into it by name.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Union

from kernel_builder.hub.signatures import Signature, read_operator, read_signature

# Returns the content of a file of the package; None if it has none of that name.
Read = Callable[[str], Union[bytes, None]]
Place = tuple[str, ...]

LAYERS: Final = "layers"
# The module that the build writes; what is imported from it is public only if it is listed.
GENERATED: Final = "_ops"
# What layers may state of themselves, and what holds if they do not.
ABILITIES: Final = {"has_backward": "True", "can_torch_compile": "False"}
FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
# The parts of a statement in which others are.
BLOCKS: Final = ("body", "cases", "handlers", "orelse", "finalbody")


@dataclass(frozen=True)
class Item:
    """Something public: a function, class, module, operator or value, which an ability has."""

    kind: str
    signature: Signature | None = None
    value: str = ""


@dataclass(frozen=True)
class Api:
    """What is public, by its name below the package; `operators` is None if they are not known.

    `listed` says whether the package has `__all__`; `names` are all that it binds.
    """

    items: dict[str, Item]
    operators: dict[str, Item] | None
    listed: bool
    names: frozenset[str]


@dataclass(frozen=True)
class _Import:
    module: Place
    name: str


@dataclass
class _Module:
    """One file: what its names stand for, and what `__all__` lists."""

    path: Place
    is_package: bool
    names: dict[str, Any]
    listed: list[str] | None = None
    is_computed: bool = False

    def bind(self, name: str, value: Any, *, nested: bool) -> None:
        # In `try: from .x import f` with `except: f = None`, the first one is meant.
        if not nested or isinstance(self.names.get(name, ast.expr()), ast.expr):
            self.names[name] = value

    @property
    def public(self) -> list[str]:
        """The names that others may use."""
        if self.listed is not None:
            return list(dict.fromkeys(self.listed))
        imported = {name for name, each in self.names.items() if isinstance(each, _Import)}
        generated = {name for name in imported if self.names[name].module[-1:] == (GENERATED,)}
        own = self.names.keys() - (generated if self.is_package else imported)
        return [name for name in self.names if name in own and not name.startswith("_")]


class _Package:
    """The modules of a package, each read when something of it is needed."""

    def __init__(self, read: Read) -> None:
        self.items: dict[str, Item] = {}
        self._read = read
        self._modules: dict[Place, _Module | None] = {}
        self._open: set[Place] = set()

    def module(self, path: Place) -> _Module | None:
        """Return a module; None if the package has none there. SyntaxError if it is no Python."""
        if path not in self._modules:
            # Modules that import each other's names end here.
            self._modules[path] = None
            files = ("/".join((*path, "__init__.py")), "/".join(path) + ".py")
            for file in () if path[-1:] == (GENERATED,) else files:
                text = self._read(file)
                if text is not None and self._modules[path] is None:
                    module = _Module(path, file.endswith("__init__.py"), {})
                    self._take(module, _parse(text, file).body, nested=False)
                    self._modules[path] = module
        return self._modules[path]

    def _take(self, module: _Module, body: Sequence[Any], *, nested: bool) -> None:
        """Note what statements bind."""
        for node in body:
            if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
                module.bind(node.name, node, nested=nested)
                continue
            if isinstance(node, ast.ImportFrom) and node.level:
                up = len(module.path) - node.level + (1 if module.is_package else 0)
                origin = (*module.path[:up], *(node.module.split(".") if node.module else ()))
                for each in node.names:
                    all_of = self.module(origin) if each.name == "*" else None
                    for name in all_of.public if all_of else [each.name]:
                        as_name = name if all_of else each.asname or name
                        module.bind(as_name, _Import(origin, name), nested=nested)
            for name, value in _assigned(node):
                module.bind(name, value, nested=nested)
                if name == "__all__" and not module.is_computed:
                    before = [] if isinstance(node, (ast.Assign, ast.AnnAssign)) else module.listed
                    try:
                        module.listed = [*(before or ()), *map(str, ast.literal_eval(value))]
                    except (ValueError, TypeError):
                        module.listed, module.is_computed = None, True
            for block in BLOCKS:
                self._take(module, getattr(node, block, []), nested=True)

    def follow(self, module: _Module, name: str) -> _Module | tuple[_Module, Any] | None:
        """Return what a name stands for: a module, or what a module binds; None if not known."""
        seen: set[tuple[Place, str]] = set()
        while (module.path, name) not in seen:
            seen.add((module.path, name))
            bound = module.names.get(name)
            if bound is None or bound == _Import(module.path, name):
                return self.module((*module.path, name)) if module.is_package else None
            if isinstance(bound, ast.Name):
                name = bound.id
            elif not isinstance(bound, _Import):
                return module, bound
            elif origin := self.module(bound.module):
                module, name = origin, bound.name
        return None

    def describe(self, key: str, module: _Module, name: str) -> None:
        """Note what a public name stands for, and all that is public below it."""
        found = self.follow(module, name)
        self.items[key] = Item("value")
        if isinstance(found, _Module):
            self.items[key] = Item("module")
            if found.path not in self._open:
                self._open.add(found.path)
                for each in found.public:
                    self.describe(f"{key}.{each}", found, each)
                self._open.remove(found.path)
        elif found and isinstance(found[1], FUNCTIONS):
            self.items[key] = Item("function", read_signature(found[1], bound=False))
        elif found and isinstance(found[1], ast.ClassDef):
            self.items[key] = Item("class")
            for node in self._lineage(*found, ()):
                self._describe_members(key, node)
            if key.startswith(f"{LAYERS}."):
                for ability, value in ABILITIES.items():
                    self.items.setdefault(f"{key}.{ability}", Item("value", value=value))

    def _describe_members(self, key: str, node: ast.ClassDef) -> None:
        for member in node.body:
            for name, value in _assigned(member):
                if not name.startswith("_"):
                    text = ast.unparse(value) if name in ABILITIES else ""
                    self.items[f"{key}.{name}"] = Item("value", value=text)
            if isinstance(member, FUNCTIONS):
                marks = {ast.unparse(mark).split(".")[-1] for mark in member.decorator_list}
                called = read_signature(member, bound="staticmethod" not in marks)
                if member.name == "__init__":
                    self.items[key] = Item("class", called)
                elif marks & {"property", "cached_property", "setter"}:
                    self.items[f"{key}.{member.name}"] = Item("value")
                elif not member.name.startswith("_") or member.name == "__call__":
                    self.items[f"{key}.{member.name}"] = Item("function", called)

    def _lineage(
        self, module: _Module, node: ast.ClassDef, below: tuple[ast.ClassDef, ...]
    ) -> Iterator[ast.ClassDef]:
        """Yield the classes of the package that a class inherits from, then itself."""
        for base in reversed(node.bases):
            found = self.follow(module, base.id) if isinstance(base, ast.Name) else None
            is_class = isinstance(found, tuple) and isinstance(found[1], ast.ClassDef)
            if isinstance(found, tuple) and is_class and found[1] not in below:
                yield from self._lineage(*found, (*below, node))
        yield node


def _assigned(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Yield what a statement binds by `=`, and what it adds to `__all__` by a method."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)) and node.value:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        for each in (name for target in targets for name in ast.walk(target)):
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                yield each.id, node.value
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        method = ast.unparse(node.value.func)
        if method == "__all__.extend":
            yield "__all__", node.value.args[0]
        elif method == "__all__.append":
            yield "__all__", ast.List(node.value.args)


def _parse(source: bytes, file: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            # Of escapes in somebody's docstrings.
            warnings.simplefilter("ignore")
            return ast.parse(source, file)
    except (ValueError, RecursionError) as error:
        raise SyntaxError(str(error), (file, None, None, None)) from None


def read_api(read: Read, operators: Sequence[str] | None) -> Api:
    """Return what a package offers whose operators have these schemas.

    Raises SyntaxError if a file is no Python or there is no package, ValueError for what is no
    schema.
    """
    package = _Package(read)
    root = package.module(())
    if root is None:
        raise SyntaxError("there is none", ("__init__.py", None, None, None))
    layers = [LAYERS] if package.module((LAYERS,)) else []
    for name in dict.fromkeys([*root.public, *layers]):
        package.describe(name, root, name)
    known = {
        f"ops.{name}": Item("operator", signature)
        for name, signature in map(read_operator, operators or ())
    }
    return Api(
        package.items,
        None if operators is None else known,
        root.listed is not None,
        frozenset({*root.names, *layers}),
    )
