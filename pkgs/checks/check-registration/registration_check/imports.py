"""Finds imports that cannot work, in functions too, where no import of the kernel meets them.

An import may be meant to fail: in a `try` that catches it, or for type checkers alone. Code that only
a newer Python runs may use newer syntax. Published kernels have functions that never worked, and
files that nothing imports, so what may never run is a warning.
"""

from __future__ import annotations

import ast
import json
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checking.problem import Problem

from registration_check.files import File

# Files that the builder adds to a kernel's own.
GENERATED = {("_ops",)}
CATCHES_IMPORT = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException", "suppress"}
CATCHES_SYNTAX = {"SyntaxError", "Exception", "BaseException"}
PLACES_SHOWN = 4
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


@dataclass(frozen=True)
class Context:
    """Facts about the code around an import.

    The import may be meant to fail, or only a newer Python may run it. `is_later` says whether a
    function or a condition is around it, so that an import of the file may not run it.
    """

    may_fail: bool = False
    may_be_newer: bool = False
    is_later: bool = False

    def joined(self, *, fail: bool = False, newer: bool = False, later: bool = False) -> Context:
        """Return the context of code inside of this one."""
        return Context(self.may_fail or fail, self.may_be_newer or newer, self.is_later or later)


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


def list_uses(file: File) -> list[Use]:
    """Return the imports of a file."""
    return [] if file.tree is None else list(_walk(file, file.tree, Context()))


def _walk(file: File, node: ast.AST, context: Context) -> Iterator[Use]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Use(node.lineno, ast.unparse(node), False, tuple(alias.name.split(".")), (), context)
    elif isinstance(node, ast.ImportFrom):
        names = tuple(alias.name for alias in node.names)
        yield Use(node.lineno, ast.unparse(node), node.level > 0, _find_target(file, node), names, context)
    elif isinstance(node, ast.If):
        for inner in ast.iter_child_nodes(node.test):
            yield from _walk(file, inner, context)
        test = ast.unparse(node.test)
        apart = re.search(r"\bTYPE_CHECKING\b|__name__ ==|^False$|^0$", test) is not None
        newer = apart or "version_info" in test
        for inner in node.body:
            yield from _walk(file, inner, context.joined(fail=apart, newer=newer, later=True))
        for inner in node.orelse:
            yield from _walk(file, inner, context.joined(newer="version_info" in test, later=True))
    elif isinstance(node, ast.Try):
        caught = {word for each in node.handlers for word in _words(each.type)}
        fail, newer_syntax = not caught.isdisjoint(CATCHES_IMPORT), not caught.isdisjoint(CATCHES_SYNTAX)
        for inner in node.body:
            yield from _walk(file, inner, context.joined(fail=fail, newer=newer_syntax))
        for inner in node.handlers:
            yield from _walk(file, inner, context.joined(later=True))
        for inner in (*node.orelse, *node.finalbody):
            yield from _walk(file, inner, context)
    elif isinstance(node, ast.With):
        managers = [ast.unparse(item.context_expr) for item in node.items]
        fail = any("suppress(" in manager or "raises(" in manager for manager in managers)
        for inner in ast.iter_child_nodes(node):
            yield from _walk(file, inner, context.joined(fail=fail))
    else:
        later = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for inner in ast.iter_child_nodes(node):
            yield from _walk(file, inner, context.joined(later=later))


def _find_target(file: File, node: ast.ImportFrom) -> tuple[str, ...] | None:
    kept = len(file.package) + 1 - node.level if node.level else 0
    parts = node.module.split(".") if node.module else []
    return (*file.package[:kept], *parts) if kept >= 0 else None


def _words(caught: ast.expr | None) -> Collection[str]:
    return ["Exception"] if caught is None else re.findall(r"\w+", ast.unparse(caught))


class Package:
    """The modules of a kernel."""

    def __init__(self, folder: Path, files: Sequence[File], shown_as: str) -> None:
        self.folder, self.files, self.shown_as = folder, files, shown_as
        self.name = _read_name(folder) or Path(shown_as).name
        self.modules = {file.module: file for file in files}
        self.uses = {file.path: list_uses(file) for file in files}

    def has(self, module: tuple[str, ...]) -> bool:
        """Return whether there is a module, a folder or a library of this name."""
        place = self.folder.joinpath(*module)
        if module in self.modules or module in GENERATED or place.is_dir():
            return True
        return any(each.suffix in (".py", ".so") for each in place.parent.glob(f"{place.name}.*"))

    def binds(self, module: tuple[str, ...], name: str) -> bool:
        """Return whether a package may have an attribute of this name."""
        file = self.modules.get(module)
        if file is None:
            return False
        if file.tree is None:
            return True
        for node in ast.walk(file.tree):
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                # `from . import NAME` takes the name from the package itself.
                is_own = isinstance(node, ast.ImportFrom) and node.level == 1 and not node.module
                bound = {alias.asname or alias.name.split(".")[0] for alias in node.names}
                if bound & {name, "*"} and not (is_own and name in {alias.name for alias in node.names}):
                    return True
            if isinstance(node, DEFINITIONS) and node.name in (name, "__getattr__"):
                return True
            if isinstance(node, ast.Name) and node.id in (name, "globals", "setattr"):
                return True
        return False

    def lacks(self, use: Use) -> bool:
        """Return whether a relative import asks for a module that the kernel does not have."""
        if use.target is None:
            return True
        if not self.has(use.target):
            return True
        # `from . import NAME` imports a module, unless the package has such an attribute.
        if (self.folder.joinpath(*use.target)).is_dir() or not use.target:
            wanted = [name for name in use.names if name != "*"]
            return any(not self.has((*use.target, name)) and not self.binds(use.target, name) for name in wanted)
        return False

    def reach(self, *, newer: bool, later: bool) -> set[tuple[str, ...]]:
        """Return the modules that the package imports.

        With `newer`, imports count that only a newer Python runs; with `later`, those in functions.
        """
        reached: set[tuple[str, ...]] = set()
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            module = waiting.pop()
            if module in reached:
                continue
            reached.add(module)
            file = self.modules.get(module)
            for use in self.uses[file.path] if file else ():
                if not use.is_relative or use.target is None:
                    continue
                if (use.context.may_be_newer and not newer) or (use.context.is_later and not later):
                    continue
                asked = [use.target, *((*use.target, name) for name in use.names)]
                # A module is imported after the packages around it.
                waiting += [each[:length] for each in asked for length in range(len(each) + 1)]
        return reached


def find_unreadable(package: Package) -> tuple[list[Problem], list[Problem]]:
    """Return the problems of files that the oldest Python imports and cannot read, and of others.

    A file that only a newer Python imports is no problem.
    """
    always = package.reach(newer=False, later=True)
    known = package.reach(newer=True, later=True)
    found: tuple[list[Problem], list[Problem]] = [], []
    for file in package.files:
        if file.problem and (file.module in always or file.module not in known):
            found[file.module not in always].append(file.problem)
    return found


def find_broken_imports(package: Package) -> tuple[list[Problem], list[Problem]]:
    """Return a problem for each import that cannot work, and for each that may never run."""
    now, known = package.reach(newer=True, later=False), package.reach(newer=True, later=True)
    found: tuple[list[Problem], list[Problem]] = [], []
    for file in package.files:
        is_known = file.module in known
        for use in package.uses[file.path]:
            at = f"{file.at}:{use.line}"
            if use.context.may_fail:
                continue
            if use.is_relative and package.lacks(use):
                is_sure = use.target is None or (file.module in now and not use.context.is_later)
                found[not (is_known and is_sure)].append(_describe_missing(package, file, use, at))
            elif not use.is_relative and use.target and use.target[0] == package.name:
                inner = ".".join(use.target[1:])
                dots = "." * (len(file.package) + 1)
                want = "relative imports: every build of the kernel has its own name"
                what = ", ".join(use.names) if use.names else "NAME"
                fix = f"write `from {dots}{inner} import {what}`"
                found[not is_known].append(Problem(at, use.text, want, fix))
        found[not is_known].extend(_find_namespaces(package, file))
    return found


def _describe_missing(package: Package, file: File, use: Use, at: str) -> Problem:
    if use.target is None:
        want = f"at most {len(file.package) + 1} dots: more lead out of {package.shown_as}"
    else:
        want = f"a module of {package.shown_as}"
    if "_ops import " in use.text:
        fix = f"write `from {'.' * (len(file.package) + 1)}_ops import …`"
    else:
        fix = "correct the dots or the name, `git add` the file, or catch the ImportError"
    return Problem(at, use.text, want, fix)


def _find_namespaces(package: Package, file: File) -> Iterator[Problem]:
    """Yield a problem for each `torch.ops.NAME.…` and `torch.classes.NAME.…` of the kernel's own name."""
    owners = {f"torch.ops.{package.name}": "ops", f"torch.classes.{package.name}": "getattr(torch.classes, ops.name)"}
    nodes = ast.walk(file.tree) if file.tree else ()
    for node in nodes:
        if isinstance(node, ast.Attribute) and (owner := owners.get(ast.unparse(node.value))):
            source = f"from {'.' * (len(file.package) + 1)}_ops import ops"
            want = "the namespace of this build: none is called like the kernel"
            found = ast.unparse(node)
            yield Problem(f"{file.at}:{node.lineno}", found, want, f"write {owner}.{node.attr} with `{source}`")


def find_undeclared(package: Package, declared: Collection[str]) -> list[Problem]:
    """Return a problem for each package that users may lack and that no import check meets."""
    now = package.reach(newer=True, later=False)
    known = {*getattr(sys, "stdlib_module_names", ()), *declared, package.name}
    places: dict[str, list[str]] = {}
    for file in package.files:
        # The author cannot change what the builder adds: it imports a framework only for who uses it.
        for use in package.uses[file.path] if file.module not in GENERATED else ():
            if use.is_relative or not use.target or use.target[0] in known or use.context.may_fail:
                continue
            if use.context.is_later or file.module not in now:
                places.setdefault(use.target[0], []).append(f"{file.at}:{use.line}")
    want = "packages of Python and Torch, and those that `python-depends` names"
    fix = "name it in `python-depends`, or catch the ImportError and say what to install"
    problems = []
    for name, lines in sorted(places.items()):
        rest = len(lines) - PLACES_SHOWN
        shown = [*lines[:PLACES_SHOWN], *([f"and {rest} more"] if rest > 0 else [])]
        problems.append(Problem("\n".join(shown), f"import {name}", want, fix))
    return problems


def _read_name(folder: Path) -> str:
    """Return the name under which Python imports a built variant, or an empty string."""
    metadata = folder / "metadata.json"
    if not metadata.is_file():
        return ""
    data = json.loads(metadata.read_text(encoding="utf-8"))
    return str(data.get("name", "")).replace("-", "_") if isinstance(data, dict) else ""
