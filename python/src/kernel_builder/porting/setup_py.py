"""Reads setup.py by its syntax tree: what it would build, on all backends at once.

Nothing of it is run. A value that depends on the machine is unknown. Both branches of a test with
such a value are read, and lists hold what either adds.
"""

import ast
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any, Final

from kernel_builder.porting.project import Project

MAX_STEPS: Final = 200_000
MAX_ITEMS: Final = 5_000
MAX_TEXT: Final = 10_000
UNKNOWN: Final = type("Unknown", (), {"__repr__": lambda _self: "UNKNOWN"})()
# The backends of each kind of extension.
KINDS: Final = {
    "CUDAExtension": "cuda",
    "CppExtension": "cpu",
    "Extension": "cpu",
    "SyclExtension": "xpu",
}
# Words of a test that say which backend its branch is for.
_BACKENDS: Final = {
    "rocm": r"hip|rocm",
    "xpu": r"xpu|sycl",
    "metal": r"\b(mps|metal)\b",
    "cuda": r"cuda|nvcc|gpu",
    "cpu": r"cpu",
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
_PATHS: Final[Mapping[str, Callable[..., Any]]] = {
    "join": posixpath.join,
    "joinpath": posixpath.join,
    "dirname": posixpath.dirname,
    "basename": posixpath.basename,
    "normpath": posixpath.normpath,
    "relpath": lambda path, *_start: posixpath.normpath(path),
    "splitext": lambda path: [*posixpath.splitext(path)],
}
# Functions and methods that give a path or a text as it is.
_SAME: Final = re.compile("abspath|realpath|resolve|absolute|str|fspath|Path|PurePath|as_posix")
_STRINGS: Final = re.compile(
    "split|replace|[lr]?strip|lower|upper|startswith|endswith|splitlines|removeprefix|removesuffix"
)
_LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    "list": lambda *items: [*items[0]] if items else [],
    "tuple": list,
    "sorted": lambda items: sorted(each for each in items if isinstance(each, str)),
    "set": lambda items: list(dict.fromkeys(items)),
    "product": lambda *lists: [*product(*lists)],
}


class Word(str):
    """A string with its line, and the backends of the branches that it stands in."""

    line: int
    backends: frozenset[str]
    # Values that a variable may have instead.
    others: tuple[str, ...]

    def __new__(
        cls, text: str, line: int = 0, backends: Iterable[str] = (), others: Iterable[str] = ()
    ) -> "Word":
        word = super().__new__(cls, text)
        word.line, word.backends, word.others = line, frozenset(backends), tuple(others)
        return word


@dataclass
class Extension:
    """One extension that setup.py builds."""

    # More than one if its name depends on the machine.
    names: tuple[str, ...]
    backends: frozenset[str]
    sources: list[Word]
    include: list[Word] = field(default_factory=list)
    # Flags by the compiler: cxx, nvcc, sycl.
    flags: dict[str, list[Word]] = field(default_factory=dict)
    line: int = 0

    def is_for(self, backend: str) -> bool:
        """Say if something of the extension is compiled for a backend."""
        return backend in self.backends or any(backend in each.backends for each in self.sources)


class _TooMuchError(Exception):
    """The file is too much work."""


def merge(old: Any, new: Any) -> Any:
    """Return the value of a variable that has one of two values."""
    if isinstance(old, list) and isinstance(new, list):
        merged = {item: item for item in old if isinstance(item, Word)}
        for item in (each for each in new if isinstance(each, Word)):
            held = merged.setdefault(item, item)
            if held.backends and item.backends:
                merged[item] = Word(item, held.line, held.backends | item.backends)
        return [*merged.values(), *(each for each in [*old, *new] if not isinstance(each, Word))]
    if isinstance(old, dict) and isinstance(new, dict):
        return {key: merge(old.get(key, UNKNOWN), new.get(key, UNKNOWN)) for key in {**old, **new}}
    if isinstance(old, tuple) and isinstance(new, tuple) and len(old) == len(new):
        return tuple(map(merge, old, new))
    if isinstance(old, frozenset) and isinstance(new, frozenset):
        return old | new
    if isinstance(old, Word) and isinstance(new, Word) and old != new:
        return Word(new, new.line, new.backends, (*old.others, old))
    known = new if old is UNKNOWN else old
    is_same = old == new or UNKNOWN in (old, new)
    return known if is_same and not isinstance(known, int) else old if old == new else UNKNOWN


class Reader(ast.NodeVisitor):
    """Evaluates a setup.py as far as it needs no machine.

    The visit of an expression returns its value, that of a statement True if it surely returns.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.extensions: list[Extension] = []
        self.setup: dict[str, Any] = {}
        self._scopes: list[dict[str, Any]] = [{}]
        self._returns: list[list[Any]] = [[]]
        self._steps = self._unsure = 0
        self._backends: frozenset[str] = frozenset()

    def read(self) -> None:
        """Read the file; a note says what cannot be read."""
        try:
            self._run(ast.parse(self.project.read("setup.py")).body)
        except (SyntaxError, ValueError, TypeError, LookupError) as error:
            line = getattr(error, "lineno", 0) or 0
            self.project.leave("setup.py", line, f"it cannot be read as Python: {error}")
        except (_TooMuchError, RecursionError, MemoryError):
            self.project.leave("setup.py", 0, "it is too much work: only its start was read")

    def visit(self, node: ast.AST) -> Any:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise _TooMuchError
        return super().visit(node)

    def generic_visit(self, node: ast.AST) -> Any:
        return UNKNOWN if isinstance(node, ast.expr) else False

    def _word(self, text: Any, node: ast.AST) -> Any:
        if not isinstance(text, str):
            return [self._word(each, node) for each in text] if isinstance(text, list) else text
        if len(text) > MAX_TEXT:
            raise _TooMuchError
        return Word(text, getattr(node, "lineno", 0), self._backends)

    # Statements.

    def _run(self, body: Sequence[ast.stmt], unsure: bool = False) -> bool:
        self._unsure += unsure
        done = any(self.visit(node) is True for node in body)
        self._unsure -= unsure
        return done

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._scopes[-1][node.name] = node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for each in node.names:
            if each.name in KINDS:
                self._scopes[-1][each.asname or each.name] = frozenset({KINDS[each.name]})

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.visit(node.value)
        for target in node.targets:
            self._assign(target, value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        old, new = self.visit(node.target), self.visit(node.value)
        if isinstance(old, list) and isinstance(new, (list, tuple)):
            old.extend(new)
        else:
            self._assign(node.target, self._add(old, new, node))

    def visit_Expr(self, node: ast.Expr) -> None:
        self.visit(node.value)

    def visit_Return(self, node: ast.Return) -> bool:
        self._returns[-1].append(self.visit(node.value) if node.value else None)
        return not self._unsure

    def visit_If(self, node: ast.If) -> bool:
        test, before = self.visit(node.test), self._backends
        unsure, found, done = test is UNKNOWN, find_backends(node.test), False
        if unsure or test:
            self._backends = found or before
            done = self._run(node.body, unsure)
        if unsure or not test:
            # Code that is not for ROCm is for CUDA.
            self._backends = frozenset({"cuda"}) if found == {"rocm"} else before
            done = self._run(node.orelse, unsure)
        self._backends = before
        return done and not unsure

    def visit_For(self, node: ast.For) -> bool:
        items = self.visit(node.iter)
        known = isinstance(items, (list, tuple))
        for item in items if known else [UNKNOWN]:
            self._assign(node.target, item)
            if self._run(node.body, not known):
                return True
        return False

    def visit_With(self, node: ast.With) -> bool:
        return self._run(node.body)

    def visit_Try(self, node: ast.Try) -> bool:
        done = self._run(node.body)
        for handler in node.handlers:
            self._run(handler.body, unsure=True)
        return self._run(node.finalbody) or done

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            scope = self._scopes[-1]
            is_new = target.id not in scope or not self._unsure
            scope[target.id] = value if is_new else merge(scope[target.id], value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            known = isinstance(value, (list, tuple)) and len(value) == len(target.elts)
            for at, each in enumerate(target.elts):
                self._assign(each, value[at] if known else UNKNOWN)
        elif isinstance(target, ast.Subscript):
            place, key = self.visit(target.value), self.visit(target.slice)
            if isinstance(place, dict) and isinstance(key, str):
                place[key] = merge(place.get(key, UNKNOWN), value) if self._unsure else value

    # Expressions.

    def visit_Constant(self, node: ast.Constant) -> Any:
        return self._word(node.value, node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        parts = [self.visit(each) for each in node.values]
        known = all(isinstance(each, (str, int)) for each in parts)
        return self._word("".join(map(str, parts)), node) if known else UNKNOWN

    def visit_FormattedValue(self, node: ast.FormattedValue) -> Any:
        return self.visit(node.value)

    def visit_Name(self, node: ast.Name) -> Any:
        known = _KNOWN.get(node.id, UNKNOWN)
        return self._scopes[-1].get(node.id, self._scopes[0].get(node.id, known))

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr in KINDS:
            return frozenset({KINDS[node.attr]})
        place = self.visit(node.value)
        if isinstance(place, str) and node.attr == "parent":
            return self._word(posixpath.dirname(place), node)
        return self._word(_KNOWN.get(ast.unparse(node), UNKNOWN), node)

    def visit_List(self, node: ast.List | ast.Tuple) -> list[Any]:
        found: list[Any] = []
        for each in node.elts:
            if not isinstance(each, ast.Starred):
                found.append(self.visit(each))
            elif isinstance(inner := self.visit(each.value), (list, tuple)):
                found += inner
        return found

    def visit_Tuple(self, node: ast.Tuple) -> tuple[Any, ...]:
        return tuple(self.visit_List(node))

    def visit_Dict(self, node: ast.Dict) -> dict[str, Any]:
        pairs = [(self.visit(k), self.visit(v)) for k, v in zip(node.keys, node.values) if k]
        return {key: value for key, value in pairs if isinstance(key, str)}

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        if isinstance(node.op, ast.Div) and isinstance(left, str) and isinstance(right, str):
            return self._word(posixpath.join(left, right), node)
        return self._add(left, right, node) if isinstance(node.op, ast.Add) else UNKNOWN

    def _add(self, left: Any, right: Any, node: ast.AST) -> Any:
        if isinstance(left, str) and isinstance(right, str):
            return self._word(left + right, node)
        lists = [each for each in (left, right) if isinstance(each, (list, tuple))]
        if sum(map(len, lists)) > MAX_ITEMS:
            raise _TooMuchError
        return [item for each in lists for item in each] if lists else UNKNOWN

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        test = self.visit(node.test)
        if test is UNKNOWN:
            return merge(self.visit(node.orelse), self.visit(node.body))
        return self.visit(node.body if test else node.orelse)

    def visit_ListComp(self, node: ast.ListComp | ast.GeneratorExp) -> list[Any]:
        items, found = self.visit(node.generators[0].iter), []
        for item in items if isinstance(items, (list, tuple)) else ():
            self._assign(node.generators[0].target, item)
            if all(self.visit(test) for test in node.generators[0].ifs):
                found.append(self.visit(node.elt))
        return found

    visit_GeneratorExp = visit_ListComp  # noqa: N815  (a name of ast)

    def visit_Compare(self, node: ast.Compare) -> Any:
        left, right, op = self.visit(node.left), self.visit(node.comparators[0]), node.ops[0]
        if UNKNOWN in (left, right) or len(node.ops) > 1:
            return UNKNOWN
        if isinstance(op, (ast.Eq, ast.NotEq)):
            return (left == right) == isinstance(op, ast.Eq)
        is_in = isinstance(op, (ast.In, ast.NotIn)) and isinstance(left, str)
        if is_in and isinstance(right, (str, list, tuple, dict)):
            return (left in right) == isinstance(op, ast.In)
        return UNKNOWN

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
            found = place[key]
            return self._word(found, node) if isinstance(found, str) else found
        except (LookupError, TypeError):
            return UNKNOWN

    # Calls.

    def visit_Call(self, node: ast.Call) -> Any:
        function = self.visit(node.func)
        args = self.visit_List(ast.List(elts=node.args))
        words: dict[str, Any] = {}
        for each in node.keywords:
            value = self.visit(each.value)
            words |= {each.arg: value} if each.arg else value if isinstance(value, dict) else {}
        if isinstance(function, frozenset):
            return self._build(function, args, words, node)
        if isinstance(function, ast.FunctionDef):
            return self._enter(function, args, words)
        if isinstance(node.func, ast.Attribute):
            place = self.visit(node.func.value)
            if place is not UNKNOWN:
                return self._word(self._call_method(node.func.attr, place, args), node)
            return self._word(self._call_function(node.func.attr, args), node)
        name = ast.unparse(node.func)
        if name == "setup":
            self.setup.update(words)
        return self._word(self._call_function(name, args), node)

    def _enter(self, function: ast.FunctionDef, args: Sequence[Any], words: dict[str, Any]) -> Any:
        if len(self._scopes) > 20:
            raise _TooMuchError
        names = [each.arg for each in function.args.args]
        defaults = [self.visit(each) for each in function.args.defaults]
        scope = dict(zip(reversed(names), reversed(defaults)))
        self._scopes.append({**scope, **dict(zip(names, args)), **words})
        self._returns.append([])
        unsure, self._unsure = self._unsure, 0
        self._run(function.body)
        self._unsure = unsure
        self._scopes.pop()
        first, *others = self._returns.pop() or [None]
        for each in others:
            first = merge(first, each)
        return first

    def _call_method(self, name: str, place: Any, args: Sequence[Any]) -> Any:
        first = args[0] if args else UNKNOWN
        if isinstance(place, list) and name in ("append", "extend"):
            added = [first] if name == "append" else first
            place[:] = self._add(
                place, added if isinstance(added, (list, tuple)) else [], ast.Pass()
            )
        elif isinstance(place, dict) and name == "update" and isinstance(first, dict):
            place.update(merge(place, first))
        elif isinstance(place, dict) and name == "get" and isinstance(first, str):
            return place.get(first, args[1] if len(args) > 1 else UNKNOWN)
        elif isinstance(place, str) and name in ("glob", "rglob") and isinstance(first, str):
            folder = posixpath.join(place, "**") if name == "rglob" else place
            return self.project.match(posixpath.join(folder, first))
        elif isinstance(place, str) and name == "join" and isinstance(first, list):
            known = all(isinstance(each, str) for each in first)
            return place.join(first) if known else UNKNOWN
        elif isinstance(place, str) and _STRINGS.fullmatch(name):
            known = all(isinstance(each, str) for each in args)
            return getattr(str, name)(place, *args) if known else UNKNOWN
        elif isinstance(place, str):
            return self._call_function(name, [place, *args])
        return UNKNOWN

    def _call_function(self, name: str, args: Sequence[Any]) -> Any:
        known = bool(args) and all(isinstance(each, str) for each in args)
        if name in ("glob", "iglob") and known:
            return self.project.match(args[0])
        if name in ("exists", "isfile", "isdir", "is_file", "is_dir"):
            # Nothing exists outside of the project.
            path = posixpath.normpath(args[0]) if known else ""
            return path in self.project.files or path in self.project.folders
        if name in _PATHS and known:
            return _PATHS[name](*args)
        if name in _LISTS and all(isinstance(each, (list, tuple)) for each in args):
            if sum(map(len, args)) ** max(len(args), 1) > MAX_ITEMS**2:
                raise _TooMuchError
            return _LISTS[name](*args)
        return args[0] if _SAME.fullmatch(name) and args else UNKNOWN

    def _build(
        self,
        backends: frozenset[str],
        args: Sequence[Any],
        words: Mapping[str, Any],
        node: ast.Call,
    ) -> Any:
        given = {**dict(zip(("name", "sources"), args)), **words}
        flags = given.get("extra_compile_args", {})
        if isinstance(flags, list):
            flags = {"cxx": flags, "nvcc": flags}
        flags = {"cxx": [], "nvcc": [], **(flags if isinstance(flags, dict) else {})}
        pairs = given.get("define_macros")
        macros = [_write_macro(each) for each in pairs] if isinstance(pairs, list) else []
        sources, name = _words(given.get("sources")), given.get("name")
        if not sources:
            what = "the sources of this extension cannot be read without running it"
            self.project.leave("setup.py", node.lineno, what)
        extension = Extension(
            (name, *name.others) if isinstance(name, Word) else (),
            backends,
            sources,
            _words(given.get("include_dirs")),
            {key: [*_words(value), *_words(macros)] for key, value in flags.items()},
            node.lineno,
        )
        self.extensions.append(extension)
        return UNKNOWN


def find_backends(test: ast.expr) -> frozenset[str]:
    """Return the backend that a test asks for, if it asks for one."""
    text = ast.unparse(test).lower()
    if isinstance(test, ast.UnaryOp) or "!=" in text:
        return frozenset()
    found = [name for name, words in _BACKENDS.items() if re.search(words, text)]
    return frozenset(found[:1])


def _words(value: Any) -> list[Word]:
    items = value if isinstance(value, (list, tuple)) else []
    return [each for each in items if isinstance(each, Word)]


def _write_macro(pair: Any) -> Any:
    name, value = (*pair, None)[:2] if isinstance(pair, tuple) and pair else (UNKNOWN, None)
    if not isinstance(name, Word):
        return UNKNOWN
    text = f"-D{name}" if value is None else f"-D{name}={value}"
    return Word(text, name.line, name.backends)
