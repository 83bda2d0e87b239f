"""Reads setup.py by its syntax tree: what it would build on a machine with each backend.

Nothing of it is run. Values that the machine decides, as torch.cuda.is_available(), are known by
their names, and variables of the environment are unset. Both branches of any other unknown test
are read, and lists hold what either adds.
"""

import ast
import math
import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from kernel_builder.porting.project import Project

MAX_STEPS: Final = 100_000
UNKNOWN: Final = type("Unknown", (), {"__repr__": lambda _self: "UNKNOWN"})()
BACKENDS: Final = ("cpu", "cuda", "metal", "rocm", "xpu")
# The machines on which each kind of extension can be for the backend.
KINDS: Final = {
    "CUDAExtension": frozenset({"cuda", "rocm"}),
    "CppExtension": frozenset({"cpu", "metal", "xpu"}),
    "Extension": frozenset({"cpu"}),
    "SyclExtension": frozenset({"xpu"}),
}
# Names of what only some machines have. ROCm answers to torch.cuda, too.
_FACTS: Final = {
    r"hip|rocm": {"rocm"},
    r"version\.cuda": {"cuda"},
    r"cuda|nvcc|gpu": {"cuda", "rocm"},
    r"xpu|sycl": {"xpu"},
    r"\b(mps|metal)\b": {"metal"},
}
_KNOWN: Final = {
    "os.sep": "/",
    "os.name": "posix",
    "sys.platform": "linux",
    "os.curdir": ".",
    "os.path.curdir": ".",
    "__file__": "setup.py",
    "__name__": "__main__",
}
_STRINGS: Final = {"split", "replace", "strip", "lower", "upper", "startswith", "endswith"}
# Functions and methods of paths. Some give a path as it is.
_PATHS: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: getattr(posixpath, name) for name in ("dirname", "basename", "normpath")},
    **dict.fromkeys(("join", "joinpath", "Path", "str", "abspath", "realpath"), posixpath.join),
    **dict.fromkeys(("resolve", "absolute", "as_posix"), posixpath.join),
    "relpath": lambda path, *_start: posixpath.normpath(path),
    "splitext": lambda path: [*posixpath.splitext(path)],
}
_LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    "list": lambda *items: [*items[0]] if items else [],
    "tuple": lambda *items: [*items[0]] if items else [],
    "sorted": lambda items: sorted(each for each in items if isinstance(each, str)),
    "set": lambda items: list(dict.fromkeys(items)),
    "product": lambda *lists: [[*items] for items in product(*lists)],
}


_ORDER: Final = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


class Word(str):
    """A string with its line."""

    line: int

    def __new__(cls, text: str, line: int = 0) -> "Word":
        word = super().__new__(cls, text)
        word.line = line
        return word


@dataclass
class Extension:
    """All extensions of a backend together, as it compiles them."""

    file: str = "setup.py"
    names: list[str] = field(default_factory=list)
    sources: list[Word] = field(default_factory=list)
    include: list[Word] = field(default_factory=list)
    # Flags by the compiler: cxx, nvcc, sycl.
    flags: dict[str, list[Word]] = field(default_factory=dict)


def read_setup(project: Project) -> tuple[dict[str, Extension], dict[str, Any]]:
    """Return the extension of each backend, and the other arguments of `setup`."""
    # Variables of the environment may have any value if no extension is the default.
    environments: list[Any] = [{}, UNKNOWN]
    for environment in environments:
        readers = {name: Reader(project, name, environment) for name in BACKENDS}
        for reader in readers.values():
            reader.read()
        found = {name: each.found for name, each in readers.items() if each.found.sources}
        if found:
            break
    # The sources for the CPU are not for another backend because the machine has that.
    cpu = found.get("cpu", Extension()).sources
    more = [name for name in ("metal", "xpu") if name in found and found[name].sources == cpu]
    return {name: found[name] for name in found if name not in more}, readers["cpu"].setup


class Reader(ast.NodeVisitor):
    """Evaluates a setup.py as on a machine with one backend.

    The visit of an expression returns its value, that of a statement True if it surely returns.
    """

    def __init__(self, project: Project, backend: str, environment: Any) -> None:
        self.project, self._backend, self._environment = project, backend, environment
        self.found = Extension()
        self.setup: dict[str, Any] = {}
        self._lines = project.read("setup.py").encode().splitlines()
        self._scopes: list[dict[str, Any]] = [{}]
        self._results: list[Any] = [None]
        self._steps = self._unsure = 0

    def read(self) -> None:
        """Read the file; a note says what cannot be read."""
        try:
            self._run(ast.parse(self.project.read("setup.py"), "setup.py").body)
        except (SyntaxError, ValueError, TypeError, LookupError) as error:
            line = getattr(error, "lineno", 0) or 0
            self.project.leave("setup.py", line, f"it cannot be read as Python: {error}")
        except (TimeoutError, RecursionError, MemoryError):
            self.project.leave("setup.py", 0, "it is too much work: only its start was read")

    def visit(self, node: ast.AST) -> Any:
        self._pay(1)
        value = super().visit(node)
        if isinstance(value, str) and not isinstance(value, Word):
            self._pay(len(value) // 100)
            return Word(value, getattr(node, "lineno", 0))
        return value

    def _pay(self, steps: int) -> None:
        self._steps += steps
        if self._steps > MAX_STEPS:
            raise TimeoutError

    def generic_visit(self, node: ast.AST) -> Any:
        return UNKNOWN if isinstance(node, ast.expr) else False

    # Statements.

    def _run(self, body: Sequence[ast.stmt]) -> bool:
        return any(self.visit(node) is True for node in body)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scopes[-1][node.name] = node

    def visit_Assign(self, node: ast.Assign | ast.AnnAssign) -> None:
        value = self.visit(node.value) if node.value else UNKNOWN
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            self._assign(target, value)

    visit_AnnAssign = visit_Assign  # noqa: N815  (names of ast)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old, new = self.visit(node.target), self.visit(node.value)
        if isinstance(old, list):
            self._extend(old, new)
        else:
            self._assign(node.target, self._add(old, new))

    def visit_Expr(self, node: ast.Expr) -> None:
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> bool:
        self._results[-1] = self.visit(node.value) if node.value else None
        return not self._unsure

    def visit_If(self, node: ast.If) -> bool:
        test = self.visit(node.test)
        if test is not UNKNOWN:
            return self._run(node.body if test else node.orelse)
        self._unsure += 1
        self._run([*node.body, *node.orelse])
        self._unsure -= 1
        return False

    def visit_For(self, node: ast.For) -> bool:
        items = self.visit(node.iter)
        for item in items if isinstance(items, list) else [UNKNOWN]:
            self._assign(node.target, item)
            if self._run(node.body):
                return True
        return False

    def visit_Try(self, node: ast.Try) -> bool:
        return self._run([*node.body, *node.orelse, *node.finalbody])

    def _assign(self, target: ast.expr, value: Any) -> None:
        place, key = self._scopes[-1], getattr(target, "id", None)
        if isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, list) and len(value) == len(target.elts)
            for at, each in enumerate(target.elts):
                self._assign(each, value[at] if known else UNKNOWN)
        elif isinstance(target, ast.Subscript):
            place, key = self.visit(target.value), self.visit(target.slice)
        if isinstance(place, dict) and isinstance(key, str):
            old = place.get(key)
            is_both = self._unsure and isinstance(old, list) and isinstance(value, list)
            place[key] = self._add(old, value) if is_both else value

    # Expressions.

    def visit_Constant(self, node: ast.Constant) -> Any:
        return node.value

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts = [self.visit(each) for each in node.values]
        return "".join(parts) if all(isinstance(each, str) for each in parts) else UNKNOWN

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        value = self.visit(node.value)
        return str(value) if type(value) is int else value

    def visit_Name(self, node: ast.Name) -> Any:
        for scope in (self._scopes[-1], self._scopes[0], KINDS):
            if node.id in scope:
                return scope[node.id]
        return self._find_fact(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        place = self.visit(node.value)
        if isinstance(place, str):
            return posixpath.dirname(place) if node.attr == "parent" else UNKNOWN
        return KINDS[node.attr] if node.attr in KINDS else self._find_fact(node)

    def _find_fact(self, node: ast.expr) -> Any:
        """Return the value of a name that the file does not define."""
        end = node.end_col_offset if node.end_lineno == node.lineno else None
        text = self._lines[node.lineno - 1][node.col_offset : end][:200].decode(errors="replace")
        if text == "os.environ":
            return self._environment
        for words, backends in _FACTS.items():
            if re.search(words, text.lower()):
                return self._backend in backends
        return _KNOWN.get(text, UNKNOWN)

    def visit_List(self, node: ast.List | ast.Tuple) -> list[Any]:
        found: list[Any] = []
        for each in node.elts:
            if isinstance(each, ast.Starred):
                self._extend(found, self.visit(each.value))
            else:
                found.append(self.visit(each))
        return found

    visit_Tuple = visit_List  # noqa: N815

    def visit_Dict(self, node: ast.Dict) -> dict[str, Any]:
        pairs = [(self.visit(k), self.visit(v)) for k, v in zip(node.keys, node.values) if k]
        return {key: value for key, value in pairs if isinstance(key, str)}

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return posixpath.join(left, right)
        if isinstance(node.op, ast.Sub) and isinstance(left, list) and isinstance(right, list):
            gone = {each for each in right if isinstance(each, str)}
            return [each for each in left if not isinstance(each, str) or each not in gone]
        return self._add(left, right) if isinstance(node.op, ast.Add) else UNKNOWN

    def _add(self, left: Any, right: Any) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            return left + right
        both: list[Any] = []
        self._extend(both, left)
        self._extend(both, right)
        return both if isinstance(left, list) or isinstance(right, list) else UNKNOWN

    def _extend(self, place: list[Any], items: Any) -> None:
        if isinstance(items, list):
            self._pay(len(items) // 20)
            place += items

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        items, found = self.visit(node.generators[0].iter), []
        for item in items if isinstance(items, list) else []:
            self._assign(node.generators[0].target, item)
            if all(self.visit(test) for test in node.generators[0].ifs):
                found.append(self.visit(node.elt))
        return found

    visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, right, op = self.visit(node.left), self.visit(node.comparators[0]), node.ops[0]
        known = right is not UNKNOWN and isinstance(left, (str, int, type(None)))
        if not known or len(node.ops) > 1 or isinstance(op, _ORDER):
            return UNKNOWN
        # What a machine does not have is False here.
        left = None if left is False and right is None else left
        is_same = left in right if isinstance(op, (ast.In, ast.NotIn)) else left == right
        return is_same != isinstance(op, (ast.NotEq, ast.IsNot, ast.NotIn))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        values, is_and = [self.visit(each) for each in node.values], isinstance(node.op, ast.And)
        decisive = [each for each in values if each is not UNKNOWN and bool(each) != is_and]
        return decisive[0] if decisive else UNKNOWN if UNKNOWN in values else values[-1]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.visit(node.operand)
        if isinstance(node.op, ast.Not) and value is not UNKNOWN:
            return not value
        return -value if isinstance(node.op, ast.USub) and isinstance(value, int) else UNKNOWN

    def visit_Slice(self, node: ast.Slice) -> slice:
        ends = [self.visit(each) if each else None for each in (node.lower, node.upper)]
        return slice(*(each if isinstance(each, int) else None for each in ends))

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        place, key = self.visit(node.value), self.visit(node.slice)
        try:
            return place[key]
        except (LookupError, TypeError):
            return UNKNOWN

    # Calls.

    def visit_Call(self, node: ast.Call) -> Any:
        place = function = UNKNOWN
        if isinstance(node.func, ast.Attribute):
            name, place = node.func.attr, self.visit(node.func.value)
            function = KINDS.get(name)
        else:
            name, function = getattr(node.func, "id", ""), self.visit(node.func)
        args = self.visit_List(ast.List(elts=node.args))
        words: dict[str, Any] = {}
        for each in node.keywords:
            value = self.visit(each.value)
            words |= {each.arg: value} if each.arg else value if isinstance(value, dict) else {}
        if isinstance(function, frozenset):
            return self._build(words | dict(zip(("name", "sources"), args)), node, function)
        if isinstance(function, ast.FunctionDef):
            return self._enter(function, args, words)
        if name == "setup":
            self.setup.update(words)
        if name == "getenv":
            place, name = self._environment, "get"
        value = self._call(name, place, args)
        is_own = name == "get" or isinstance(place, (str, list, dict))
        return value if is_own or value is not UNKNOWN else self._find_fact(node)

    def _enter(self, function: ast.FunctionDef, args: Sequence[Any], words: dict[str, Any]) -> Any:
        names = [each.arg for each in function.args.args]
        defaults = [self.visit(each) for each in function.args.defaults]
        scope = dict(zip(reversed(names), reversed(defaults)))
        self._scopes.append({**scope, **dict(zip(names, args)), **words})
        self._results.append(None)
        unsure, self._unsure = self._unsure, 0
        self._run(function.body)
        self._unsure = unsure
        self._scopes.pop()
        return self._results.pop()

    def _call(self, name: str, place: Any, args: Sequence[Any]) -> Any:
        first = args[0] if args else UNKNOWN
        if isinstance(place, list) and name in ("append", "extend"):
            return self._extend(place, [first] if name == "append" else first)
        if isinstance(place, dict) and name == "update" and isinstance(first, dict):
            return place.update(first)
        if isinstance(place, dict) and name == "get" and isinstance(first, str):
            return place.get(first, args[1] if len(args) > 1 else None)
        known = bool(args) and all(isinstance(each, str) for each in args)
        if isinstance(place, str) and name in _STRINGS:
            return getattr(place, name)(*args) if known or not args else UNKNOWN
        if isinstance(place, str) and name == "join" and isinstance(first, list):
            return place.join(first) if all(isinstance(x, str) for x in first) else UNKNOWN
        if isinstance(place, str):
            args, known = [place, *args], known or not args
        if name in _LISTS and all(isinstance(each, list) for each in args):
            self._pay(math.prod(map(len, args)) // 20)
            return _LISTS[name](*args)
        if name in ("exists", "isfile", "isdir", "is_file", "is_dir"):
            # Nothing exists outside of the project.
            path = posixpath.normpath(args[0]) if known else ""
            return path in self.project.files or path in self.project.folders
        if name in ("glob", "iglob", "rglob") and known:
            self._pay(len(self.project.files) // 50)
            args = [*args[:-1], "**", args[-1]] if name == "rglob" else args
            return self.project.match(posixpath.join(*args))
        return _PATHS[name](*args) if name in _PATHS and known else UNKNOWN

    def _build(self, given: Mapping[str, Any], node: ast.Call, kind: frozenset[str]) -> None:
        if self._backend not in kind:
            return
        sources, found = _words(given.get("sources"), node), self.found
        if not sources:
            what = "the sources of this extension cannot be read without running it"
            self.project.leave("setup.py", node.lineno, what)
        found.sources += sources
        found.include += _words(given.get("include_dirs"), node)
        if isinstance(name := given.get("name"), str):
            found.names.append(name)
        pairs, flags = given.get("define_macros"), given.get("extra_compile_args")
        macros = []
        for pair in pairs if isinstance(pairs, list) else []:
            if isinstance(pair, list) and pair and isinstance(pair[0], Word):
                value = "".join(f"={each}" for each in pair[1:] if each is not None)
                macros.append(Word(f"-D{pair[0]}{value}", pair[0].line))
        for compiler in ("cxx", "nvcc", "sycl"):
            own = flags.get(compiler) if isinstance(flags, dict) else flags
            found.flags.setdefault(compiler, []).extend(_words(own, node) + macros)


def _words(value: Any, node: ast.Call) -> list[Word]:
    """Return the strings of a list. Those that a call returned get the line of another call."""
    found = [each for each in (value if isinstance(value, list) else []) if isinstance(each, str)]
    return [each if isinstance(each, Word) else Word(each, node.lineno) for each in found]
