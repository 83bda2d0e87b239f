"""Rewrites the imports and operators of a Python package: it finds them through its `_ops`."""

import ast
import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Final

from kernel_builder.porting.packages import Layout
from kernel_builder.porting.project import Project, apply_edits

RELATIVE: Final = "absolute imports of the package became relative"
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_PREFIX: Final = "add_op_namespace_prefix"
# Functions of torch.library whose first argument is the name of an operator.
_SPACE: Final = re.compile(
    r"\b(?:(?:custom_op|triton_op|define)\(\s*[\"'](?=\w+::)|Library\((?=[^)]*[\"'](?:DEF|FRAGMENT))"
    r"\s*[\"'])(?!aten\b)(\w+)"
)
_LOADERS: Final = {"load_library", "CDLL"}
# Functions whose arguments name packages.
_BY_NAME: Final = re.compile("files|get_data|resource_filename|(read|open)_text|import_module")
# Names of pkg_resources, which users may lack, and those that Python has instead.
_METADATA: Final = {
    "get_distribution": "distribution",
    "DistributionNotFound": "PackageNotFoundError",
}


@dataclass(frozen=True)
class Names:
    """The names that Python files of a project use, and that a kernel has elsewhere.

    `modules` are those of extensions, as fused_ssim_cuda or pkg._C; `operators` are registered by
    C++, in the namespaces `spaces`. `defined` are namespaces in which Python defines operators.
    `versions` are those of the project's distributions, by their names with underscores. Users have
    the packages `known`, and `imported` gets what is imported.
    """

    modules: Collection[str]
    operators: Sequence[str]
    spaces: Collection[str]
    defined: Collection[str] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    known: Collection[str] = ()
    imported: set[str] = field(default_factory=set)

    def choose_name(self, space: str, name: str) -> str:
        """Return the name of an operator: one of Python's that C++ defines, too, gets another."""
        plain = name.partition(".")[0]
        return f"{name}_python" if space not in self.spaces and plain in self.operators else name


class PythonFile(ast.NodeVisitor):
    """A module of the package, with edits as (start, end, new text) in bytes.

    `path` is its place in the kernel's package.
    """

    def __init__(
        self, project: Project, file: str, path: str, layout: Layout, names: Names
    ) -> None:
        self._project, self._file, self._names, self._tops = project, file, names, layout.tops
        self._places = {*layout.files.values()}
        self._parts = posixpath.dirname(path).split("/") if "/" in path else []
        self._dots = "." * (len(self._parts) + 1)
        # From the name of the file's package to that of the kernel's.
        self._up = f".rsplit('.', {len(self._parts)})[0]" if self._parts else ""
        self._text = project.read(file)
        self._data = self._text.encode()
        self._lines = [0, *accumulate(map(len, self._data.splitlines(keepends=True)))]
        self._edits: list[tuple[int, int, str]] = []
        self._needs: set[str] = set()
        # Short names for modules that were imported by their whole names.
        self._short: dict[str, str] = {}
        # The operators of this build, and how they are imported: a file may have another `ops`.
        self._ops = self._import = "ops"
        # Names of torch.ops and torch.classes that are imported from torch.
        self._aliases: dict[str, str] = {}
        # Names of extensions in this file.
        self._natives: set[str] = set()

    def _find_place(self, module: str) -> str | None:
        """Return the place of a module of the project in the kernel's package, None for others."""
        top, _, rest = module.partition(".")
        if top not in self._tops:
            return None
        return ".".join(filter(None, [self._tops[top].replace("/", "."), rest]))

    def rewrite(self) -> str:
        """Return the new text of the file."""
        try:
            tree = ast.parse(self._text)
            keys = ("asname", "name", "arg", "id")
            if "ops" in {getattr(each, key, "") for each in ast.walk(tree) for key in keys}:
                self._ops, self._import = "kernel_ops", "ops as kernel_ops"
            self._drop_loaders(tree)
            self.visit(tree)
            early = {*find_early_names(tree)}
            for node in tree.body:
                self._allow_missing(node, early)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self._project.leave(self._file, 0, f"it cannot be read as Python: {error}")
            return self._text
        if self._needs:
            imports = [each for each in tree.body if isinstance(each, (ast.Import, ast.ImportFrom))]
            plain = [each for each in imports if getattr(each, "module", "") != "__future__"]
            # Below the first import, or below a docstring.
            docstring = tree.body[:1] if ast.get_docstring(tree) is not None else []
            places = plain or imports or docstring
            line = (places[0].end_lineno or 0) if places else 0
            text = f"from {self._dots}_ops import {', '.join(sorted(self._needs))}\n"
            self._edits.append((self._lines[line], self._lines[line], text))
        return _apply(self._data, self._edits)

    def _find_span(self, node: Any) -> tuple[int, int]:
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _join(self, node: ast.stmt, lines: Sequence[str]) -> str:
        """Return lines for the place of a statement, which may share its line with others."""
        before = self._data[self._lines[node.lineno - 1] :][: node.col_offset]
        return ("; " if before.strip() else f"\n{' ' * node.col_offset}").join(lines)

    def _edit(self, node: Any, new: str, what: str) -> None:
        self._edits.append((*self._find_span(node), new))
        self._project.change(self._file, node.lineno, what)

    def _drop_loaders(self, tree: ast.Module) -> None:
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) or not _is_loader(node):
                continue
            new = f"from {self._dots}_ops import {self._import}  # loads the extension"
            blocks = [getattr(each, "body", []) for each in (node, *getattr(node, "handlers", ()))]
            block = next((each for each in blocks if any(map(_is_loader, each))), [node])
            *_, last = filter(_is_loader, block)
            what = "the code that loads a library became an import of _ops"
            self._project.change(self._file, last.lineno, what)
            start, end = self._find_span(node)
            if rest := block[block.index(last) + 1 :]:
                # Statements below the call are for users with the extension.
                new = f"if True:\n{' ' * last.col_offset}{new}"
                self._edits.append((self._find_span(rest[-1])[1], end, ""))
                end = self._find_span(last)[1]
            self._edits.append((start, end, new))

    def _allow_missing(self, node: ast.stmt, early: set[str]) -> None:
        """Let a file be imported without a package, unless it uses `early` names of that then."""
        if not isinstance(node, (ast.Import, ast.ImportFrom)) or getattr(node, "level", False):
            return
        given = [each.name for each in node.names]
        modules = given if isinstance(node, ast.Import) else [node.module or ""]
        tops = {name.split(".")[0] for name in modules}
        self._names.imported.update(tops)
        native = {*self._tops, *(name.split(".")[0] for name in self._names.modules)}
        start, end = self._find_span(node)
        rest = self._data[end:].partition(b"\n")[0].strip()[:1]
        is_changed = any(start == each[0] for each in self._edits)
        bound = [each.asname or each.name.split(".")[0] for each in node.names]
        is_used = {*bound} & early or "*" in given
        if tops & {*self._names.known, *native} or rest.strip(b"#") or is_changed or is_used:
            return
        text = self._data[start:end].decode().replace("\n", "\n    ")
        new = f"try:\n    {text}\nexcept ImportError:\n    {' = '.join(bound)} = None"
        names = ", ".join(sorted(tops))
        self._edit(node, new, f"the import of {names} may fail")
        what = f"users may lack {names}: {', '.join(bound)} is None then"
        self._project.leave(self._file, node.lineno, what)

    def _find_version(self, call: Any) -> str | None:
        """Return the version of the project's distribution, None if a call names another one."""
        words = re.findall(r"[\w.-]+", ast.unparse(call.args[0]) if call.args else "")
        names, known = {re.sub("[-.]", "_", word) for word in words}, self._names.versions
        if not names & {*known, *self._tops, "__package__", "__name__"}:
            return None
        return next((known[name] for name in names & {*known}), next(iter(known.values()), ""))

    def visit_Attribute(self, node: ast.Attribute) -> None:
        head, dot, rest = ast.unparse(node).partition(".")
        name = f"{self._aliases.get(head, head)}{dot}{rest}"
        is_version = node.attr == "version" and re.match(r"([\w.]+\.)?(get_)?distribution\(", name)
        if is_version and (version := self._find_version(node.value)):
            self._edit(node, f'"{version}"', f"{name} became {version}")
            return
        space, _, operator = name.removeprefix("torch.ops.").partition(".")
        base, *inner = name.split(".")
        joined, is_operator = "_".join(inner), name.startswith("torch.ops.")
        new = self._short.get(name)
        if base in self._natives and len(inner) > 1 and joined in self._names.operators:
            # Of a module in the extension.
            new = f"{base}.{joined}"
        elif is_operator and operator and space in self._names.defined:
            new = f"{self._ops}.{self._names.choose_name(space, operator)}"
        elif is_operator and space in self._names.spaces and not operator:
            new = self._ops
        elif name in {f"torch.classes.{each}" for each in self._names.spaces}:
            new = f"getattr(torch.classes, {self._ops}.name)"
        if not new:
            self.generic_visit(node)
            return
        self._edit(node, new, f"{name} became {new}")
        self._needs |= {self._import} if re.match(r"torch\.(ops|classes)\.", name) else set()

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value if isinstance(node.value, str) else ""
        found = re.fullmatch(r"(\w+)::(\w+(?:\.\w+)?)", value)
        if found and found[1] in {*self._names.spaces, *self._names.defined}:
            self._add_prefix(node, self._names.choose_name(found[1], found[2]))
        # A part of an f-string begins with no quote.
        elif (name := self._write_name(value)) and self._data[self._find_span(node)[0]] in b"\"'":
            self._edit(node, name, "the name of a module became its name in the kernel")

    def visit_MatchValue(self, _node: ast.MatchValue) -> None:
        """Leave patterns as they are: no f-string is one."""

    def _write_name(self, text: object, *, is_package: bool = False) -> str:
        """Return the code for the whole name of a module of the project, empty for other texts."""
        place = self._find_place(text) if isinstance(text, str) else None
        if not place or not (is_package or "." in str(text)):
            return f"__package__{self._up}" if is_package and place is not None else ""
        path = place.replace(".", "/")
        known = any(each.startswith((f"{path}.py", f"{path}/")) for each in self._places)
        return f'f"{{__package__{self._up}}}.{place}"' if known else ""

    def visit_Call(self, node: ast.Call) -> None:
        first = ast.unparse(node.args[0]) if node.args else ""
        function = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if found := re.fullmatch(r"f([\"'])\{\w+\}::(\w+)\1", first):
            self._add_prefix(node.args[0], self._names.choose_name("", found[2]))
        values = [*node.args, *(word.value for word in node.keywords)]
        spaces = {*self._names.spaces, *self._names.defined}
        if function == "Library" and first.strip("'") in spaces:
            self._edit(node.args[0], f"{self._ops}.name", "a namespace became that of this build")
            self._needs.add(self._import)
        by_name, left = _BY_NAME.fullmatch(function), []
        for each in values:
            if new := self._write_name(getattr(each, "value", None), is_package=bool(by_name)):
                if by_name:
                    self._edit(each, new, "the name of a module became its name in the kernel")
            else:
                left.append(each)
        tops = {*re.findall(r"[\"']\.*(\w+)", " ".join(map(ast.unparse, left)))}
        is_import = function in ("import_module", "__import__", "find_spec")
        parts = {one.split(".")[at] for one in self._names.modules for at in (0, -1)}
        if is_import and tops & {*self._tops, *parts}:
            what = f"{function}({first}) imports by a name that the kernel does not have"
            self._project.leave(self._file, node.lineno, what, is_lost=True)
        elif function in ("version", "metadata", "require", "distribution", "get_distribution"):
            version = self._find_version(node)
            if version and function == "version":
                self._edit(node, f'"{version}"', f"{ast.unparse(node)} became {version}")
                return
            if version is not None:
                what = f"{ast.unparse(node)}: a kernel is no distribution, write its version"
                self._project.leave(self._file, node.lineno, what, is_lost=True)
        self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        call, target = node.value, ast.unparse(node.targets[0])
        if isinstance(call, ast.Call):
            values = [word.value for word in call.keywords if word.arg == "name"] or call.args[:1]
            names = {value.value for value in values if isinstance(value, ast.Constant)}
            function = ast.unparse(call.func).rpartition(".")[2]
            if function in ("load", "load_inline") and names & {*self._names.modules}:
                what = f"{function}() of {ast.unparse(values[0])} became an import of _ops"
                self._edit(node, self._import_ops(target), what)
                return
        self.generic_visit(node)

    def _import_ops(self, name: str) -> str:
        self._natives.add(name)
        return f"from {self._dots}_ops import ops as {name}"

    def _add_prefix(self, node: ast.expr, name: str) -> None:
        self._edit(node, f'{_PREFIX}("{name}")', "a namespace became that of this build")
        self._needs.add(_PREFIX)

    def visit_Import(self, node: ast.Import) -> None:
        lines: list[str] = []
        uses = {*re.findall(r"\bpkg_resources\.(\w+)", self._text)}
        if [each.name for each in node.names] == ["pkg_resources"] and uses <= {*_METADATA}:
            new = f"importlib.metadata as {node.names[0].asname or 'pkg_resources'}"
            self._edit(node, f"import {new}", "pkg_resources became importlib.metadata")
            self._short |= {
                f"pkg_resources.{old}": f"pkg_resources.{_METADATA[old]}" for old in uses
            }
            return
        for each in node.names:
            place, name = self._find_place(each.name), each.asname or each.name.replace(".", "_")
            parent, _, last = (place or "").rpartition(".")
            if each.name in self._names.modules:
                lines.append(self._import_ops(name))
            elif place:
                lines.append(f"from {self._dots}{parent} import {last} as {name}")
            else:
                lines.append(f"import {'sys' if place == '' else ast.unparse(each)}")
                lines += [f"{name} = sys.modules[__package__{self._up}]"] if place == "" else []
                continue
            self._short |= {} if each.asname else {each.name: name}
        if any(not line.startswith("import") for line in lines):
            self._edit(node, self._join(node, lines), RELATIVE)

    def _find_module(self, node: ast.ImportFrom) -> tuple[str, str | None]:
        """Return the whole name of a module in the project, and its place in the kernel."""
        if not node.level:
            return node.module or "", self._find_place(node.module or "")
        base = self._parts[: len(self._parts) - node.level + 1]
        inner = ".".join(filter(None, [*base, node.module]))
        top = next((name for name, place in self._tops.items() if not place), "")
        return ".".join(filter(None, [top.strip("."), inner])), inner

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        module, place = self._find_module(node)
        if module == "pkg_resources" and {each.name for each in node.names} <= {*_METADATA}:
            new = [f"{_METADATA[each.name]} as {each.asname or each.name}" for each in node.names]
            text = f"from importlib.metadata import {', '.join(new)}"
            self._edit(node, text, "pkg_resources became importlib.metadata")
            return
        lines: list[str] = []
        kept: list[str] = []
        for each in node.names:
            name = each.asname or each.name
            if module == "torch" and each.name in ("ops", "classes"):
                self._aliases[name] = f"torch.{each.name}"
            if module in self._names.modules:
                lines = lines or [f"from {self._dots}_ops import {self._import}"]
                every = self._names.operators if each.name == "*" else [each.name]
                lines += [
                    f"{name if each.name != '*' else one} = {self._ops}.{one}" for one in every
                ]
            elif f"{module}.{each.name}".lstrip(".") in self._names.modules:
                lines.append(self._import_ops(name))
            else:
                kept.append(ast.unparse(each))
        if lines:
            lines += [f"from {self._dots}{place or ''} import {', '.join(kept)}"] if kept else []
            what = f"the import of {module} became one of _ops"
            self._edit(node, self._join(node, lines), what)
        elif not node.level and place is not None:
            start, end = self._find_span(node)
            if head := re.compile(rb"from\s+[\w.]+").match(self._data, start, end):
                self._edits.append((start, head.end(), f"from {self._dots}{place}"))
                self._project.change(self._file, node.lineno, RELATIVE)


def _apply(data: bytes, edits: list[tuple[int, int, str]]) -> str:
    """Return the text with edits at places in bytes, as Python's syntax tree has them."""
    # Each byte is one character of Latin-1.
    texts = [(start, end, new.encode().decode("latin-1")) for start, end, new in edits]
    return apply_edits(data.decode("latin-1"), texts).encode("latin-1").decode()


def find_early_names(node: ast.AST) -> Iterator[str]:
    """Yield the names that code uses when it is run, which bodies of functions are not."""
    if isinstance(node, ast.Name):
        yield node.id
    body = getattr(node, "body", []) if isinstance(node, _FUNCTIONS) else []
    later = body if isinstance(body, list) else [body]
    for each in ast.iter_child_nodes(node):
        yield from find_early_names(each) if each not in later else ()


def find_spaces(project: Project, layout: Layout) -> set[str]:
    """Return the namespaces in which the Python files of a project define operators."""
    text = "".join(project.read(name) for name in layout.files if name.endswith(".py"))
    return {*_SPACE.findall(text)}


def _is_loader(node: ast.AST) -> bool:
    return any(getattr(each, "attr", "") in _LOADERS for each in ast.walk(node))
