"""Finds imports that cannot work, in functions too, where no import of the kernel meets them.

An import may be meant to fail: in a `try` that catches it, or for type checkers alone. Code that only
a newer Python runs may use newer syntax. Published kernels have functions that never worked, and
files that nothing imports, so what may never run is a warning.
"""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checking.problem import Problem

from registration_check.files import File
from registration_check.guards import Guards
from registration_check.uses import Use, list_uses

# Files that the builder adds to a kernel's own.
GENERATED = {("_ops",)}
PLACES_SHOWN = 4
WANT = "packages of Python and Torch, and those that `python-depends` names"
NAME_IT = "name it in `python-depends`, or catch the ImportError and say what to install"
GO_WITHOUT = "import it in the functions that need it, catch the ImportError there and say what to install"
# Functions that take the name of a package, and raise an error if there is none.
TAKE_NAMES = {"__import__", "files", "get_data", "import_module"}
# Code that may bind any name.
DYNAMIC = {"__dict__", "__getattr__", "exec", "globals", "locals", "modules", "setattr", "vars"}


@dataclass(frozen=True)
class Known:
    """Modules that the import check has and users may lack, and those that `python-depends` may bring."""

    assumed: Collection[str] = ()
    allowed: Collection[str] = ()


class Package:
    """The modules of a kernel."""

    def __init__(self, folder: Path, files: Sequence[File], shown_as: str) -> None:
        self.folder, self.files, self.shown_as = folder, files, shown_as
        self.name = _read_name(folder) or Path(shown_as).name
        self.modules = {file.module: file for file in files}
        guards = Guards(file.tree for file in files if file.tree)
        self.uses = {file.path: list_uses(file, guards) for file in files}

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
                is_own = is_own and file.module == file.package
                bound = {alias.asname or alias.name.split(".")[0] for alias in node.names}
                if bound & {name, "*"} and not (is_own and name in {alias.name for alias in node.names}):
                    return True
            # Definitions, exceptions and patterns have a `name`; code that reads a name does not bind it.
            words = {getattr(node, word, None) for word in ("name", "id", "attr")} - {None}
            is_read = isinstance(node, ast.alias) or isinstance(getattr(node, "ctx", None), ast.Load)
            if not words.isdisjoint(DYNAMIC) or (name in words and not is_read):
                return True
        return False

    def lacks(self, use: Use) -> bool:
        """Return whether a relative import asks for a module that the kernel does not have."""
        if use.target is None:
            return True
        if not self.has(use.target):
            return True
        # `from . import NAME` imports a module, unless the package has such an attribute. What a module lacks
        # fails the import check, unless that does not run the import.
        is_unmet = use.context.is_later and use.target in self.modules
        if is_unmet or (self.folder.joinpath(*use.target)).is_dir() or not use.target:
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


def find_covered(package: Package) -> list[Problem]:
    """Return a problem for each module beside a package of the same name, which Python imports in its place."""
    problems = []
    for file in package.files:
        other = f"{file.path.removesuffix('.py')}/__init__.py"
        if (package.folder / other).is_file():
            want, fix = "one of both: Python imports the package", "rename the file, or delete one of both"
            problems.append(Problem(file.at, f"a module beside the package {other}", want, fix))
    return problems


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
        found[True].extend(_find_texts(package, file))
    return found


def _describe_missing(package: Package, file: File, use: Use, at: str) -> Problem:
    if use.target is None:
        want = f"at most {len(file.package) + 1} dots: more lead out of {package.shown_as}"
    else:
        want = f"a module of {package.shown_as}, and names that it has"
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


def _find_texts(package: Package, file: File) -> Iterator[Problem]:
    """Yield a problem for each call that takes the kernel's own name as a text, and has to succeed."""
    nodes = list(ast.walk(file.tree)) if file.tree else []
    caught = {inner for node in nodes if isinstance(node, ast.Try) for inner in ast.walk(node)}
    for node in nodes:
        if not isinstance(node, ast.Call) or node in caught or ast.unparse(node.func).split(".")[-1] not in TAKE_NAMES:
            continue
        texts = [str(each.value) for each in node.args if isinstance(each, ast.Constant)]
        if any(text.split(".")[0] == package.name for text in texts):
            want = "`__package__`, or relative imports: every build of the kernel has its own name"
            fix = f"write `from {'.' * (len(file.package) + 1)} import NAME`, or `__package__` in place of the name"
            yield Problem(f"{file.at}:{node.lineno}", ast.unparse(node), want, fix)


def find_undeclared(package: Package, declared: Collection[str], known: Known = Known()) -> list[Problem]:
    """Return a problem for each package that users may lack and that no import check meets."""
    now = package.reach(newer=True, later=False)
    present = {*getattr(sys, "stdlib_module_names", ()), *declared, package.name}
    places: dict[str, list[str]] = {}
    for file in package.files:
        # The author cannot change what the builder adds: it imports a framework only for who uses it.
        for use in package.uses[file.path] if file.module not in GENERATED else ():
            name = use.target[0] if use.target else ""
            if use.is_relative or name in {"", *present} or use.context.may_lack(name):
                continue
            if name in known.assumed or use.context.is_later or file.module not in now:
                places.setdefault(name, []).append(f"{file.at}:{use.line}")
    problems = []
    for name, lines in sorted(places.items()):
        rest = len(lines) - PLACES_SHOWN
        shown = [*lines[:PLACES_SHOWN], *([f"and {rest} more"] if rest > 0 else [])]
        fix = NAME_IT if name in known.allowed else GO_WITHOUT
        problems.append(Problem("\n".join(shown), f"import {name}", WANT, fix))
    return problems


def _read_name(folder: Path) -> str:
    """Return the name under which Python imports a built variant, or an empty string."""
    metadata = folder / "metadata.json"
    if not metadata.is_file():
        return ""
    data = json.loads(metadata.read_text(encoding="utf-8"))
    return str(data.get("name", "")).replace("-", "_") if isinstance(data, dict) else ""
