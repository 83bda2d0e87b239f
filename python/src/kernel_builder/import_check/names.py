"""Finds names in the functions of a kernel that nothing defines.

Python and Triton look a name up when a function runs, so the import does not fail. After it, the
modules know their names, and the compiled code says which of them its functions look up.
"""

import ast
import builtins
import dis
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from difflib import get_close_matches
from importlib.util import find_spec
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

UNDEFINED = "functions of the kernel use names that nothing defines"
WANT = "a name that the module, Python or the imported package defines: the call fails otherwise"
FIX = "define or import it; if it is there in some cases only, let an `except` or `hasattr` say so"
# Exceptions whose handler expects that a name is not there.
EXPECTED = ("NameError", "AttributeError", "Exception", "BaseException")
# A function with one of them may define names of its module later.
DEFINERS = ("globals", "exec")
# `laod` is as like `load` as this; `npu` is less like `cpu`.
ALIKE = 0.7
# Letters that a slip adds, drops or exchanges. Names of another version differ by words.
SLIP = 2


def list_modules(package: str, place: Place) -> "Iterator[tuple[Any, Path]]":
    """Yield the modules of the kernel that the import loaded, with their files."""
    for name, module in [*sys.modules.items()]:
        file = getattr(module, "__file__", None) or ""
        is_own = f"{name}.".startswith(f"{package}.") and place.has(file)
        if is_own and file.endswith(".py") and Path(file).name != "_ops.py":
            yield module, Path(file)


def check_names(package: str, place: Place) -> "tuple[str, list[Problem]]":
    """Return a problem for each line with a name that nothing defines."""
    found = {}
    for module, file in list_modules(package, place):
        with warnings.catch_warnings():
            # The import has already shown what the compiler warns of.
            warnings.simplefilter("ignore")
            tree = ast.parse(file.read_bytes())
            code = compile(tree, str(file), "exec")
        texts = {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant)}
        guarded = set(_list_guarded(tree))
        for line, name, near in _find_all(code, module):
            path, _, last = name.rpartition(".")
            # Other versions may have it, or a package that adds the module of a device to Torch.
            if (near or not path) and line not in guarded and last not in texts:
                at = place.show_frames([(str(file), line, "", "")])
                fix = f"did you mean {near[0]!r}?" if near else FIX
                found[at, name] = Problem(at, _describe(name, module), WANT, fix)
    return UNDEFINED, [*found.values()]


def _find_all(code: CodeType, module: Any) -> "Iterator[tuple[int, str, list[str]]]":
    """Yield the line, the name and similar names for each use of an undefined name."""
    parts = [*_list_functions(code)]
    # A name of a branch that was not taken may be guarded in ways that only people can follow.
    known = {*vars(builtins), *vars(module)}.union(*map(_list_bound, [code, *parts]))
    is_open = any(name in part.co_names for part in parts for name in DEFINERS)
    for part in parts:
        line, value, path, lines = part.co_firstlineno, None, "", dict(dis.findlinestarts(part))
        for step in dis.get_instructions(part):
            line, name = lines.get(step.offset) or line, step.argval
            if step.opname == "LOAD_GLOBAL":
                path, value = name, vars(module).get(name)
                if path not in known and not is_open:
                    yield line, path, get_close_matches(path, {*known, *part.co_varnames})
            elif step.opname in ("LOAD_ATTR", "LOAD_METHOD") and _is_of_others(value, module):
                if not name.startswith("_") and lacks(value, name):
                    alike = get_close_matches(name, dir(value), cutoff=ALIKE)
                    near = [each for each in alike if _differ(name, each) <= SLIP]
                    yield line, f"{path}.{name}", [f"{path}.{each}" for each in near]
                path, value = f"{path}.{name}", vars(value).get(name)
            elif step.opname != "EXTENDED_ARG":
                value = None


def _list_functions(code: CodeType) -> "Iterator[CodeType]":
    """Yield the code of all functions, also those of classes and of other functions."""
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _list_functions(each)


def _list_bound(code: CodeType) -> "Iterator[str]":
    """Yield the names that code binds in its module, if it runs."""
    for step in dis.get_instructions(code):
        is_module = step.opname in ("STORE_NAME", "DELETE_NAME") and code.co_name == "<module>"
        if is_module or step.opname == "STORE_GLOBAL":
            yield str(step.argval)


def _is_of_others(value: Any, module: Any) -> bool:
    """Return whether it is a module of another package, with public names."""
    if not isinstance(value, ModuleType):
        return False
    package = module.__name__.partition(".")[0]
    parts = value.__name__.split(".")
    return parts[0] != package and not any(part.startswith("_") for part in parts)


def _differ(name: str, other: str) -> int:
    """Return how many letters only one of two names has."""
    ours, theirs = Counter(name), Counter(other)
    return sum(((ours - theirs) + (theirs - ours)).values())


def lacks(module: Any, name: str) -> bool:
    """Return whether a module has neither a name nor a submodule of that name."""
    try:
        if name in vars(module) or hasattr(module, name):
            return False
        path = f"{module.__name__}.{name}"
        return not hasattr(module, "__path__") or find_spec(path) is None
    except Exception:
        # The module loads the name on demand, and cannot do so here.
        return False


def _list_guarded(tree: ast.AST) -> "Iterator[int]":
    """Yield the lines whose exceptions for a missing name are caught."""
    for each in ast.walk(tree):
        caught = [kind.type or ast.Name("Exception") for kind in getattr(each, "handlers", ())]
        caught += [item.context_expr for item in getattr(each, "items", ())]
        names = [part for kind in caught for part in ast.walk(kind) if isinstance(part, ast.Name)]
        if any(name.id in EXPECTED for name in names):
            for part in vars(each)["body"]:
                yield from range(part.lineno, (part.end_lineno or part.lineno) + 1)


def _describe(name: str, module: Any) -> str:
    """Return the text for a name, with the version of the package that lacks it."""
    path, _, last = name.rpartition(".")
    if not path:
        return f"the name {name!r}"
    value = module
    for part in path.split("."):
        value = vars(value)[part]
    package = sys.modules[value.__name__.partition(".")[0]]
    version = str(getattr(package, "__version__", "")).partition("+")[0]
    which = f"{package.__name__} {version}".rstrip()
    return f"the name {name!r}: {value.__name__} has no {last!r} ({which})"
