"""Rewrites the imports and operators of a Python package: it finds them through its `_ops`."""

import ast
import posixpath
import re
from collections.abc import Collection
from itertools import accumulate
from typing import Any, Final

from kernel_builder.porting.project import Project, apply_edits

RELATIVE: Final = "absolute imports of the package became relative"
_PREFIX: Final = "add_op_namespace_prefix"
_OTHERS: Final = {"benchmark", "benchmarks", "docs", "examples", "scripts", "test", "tests"}


class PythonFile(ast.NodeVisitor):
    """A module of the package, with edits as (start, end, new text) in bytes.

    `package` is the folder of the package in the project. `modules` are the names that extensions
    had, as fused_ssim_cuda or pkg._C, and `spaces` those of their operators.
    """

    def __init__(
        self, project: Project, file: str, package: str, modules: Collection[str],
        spaces: Collection[str],
    ) -> None:  # fmt: skip
        self._project, self._file, self._modules, self._spaces = project, file, modules, spaces
        self._own = posixpath.basename(package)
        *self._folders, _ = posixpath.relpath(file, package).split("/")
        self._dots = "." * (len(self._folders) + 1)
        self._text = project.read(file)
        self._data = self._text.encode()
        self._lines = [0, *accumulate(map(len, self._data.splitlines(keepends=True)))]
        self._edits: list[tuple[int, int, str]] = []
        self._needs: set[str] = set()
        # Short names for modules that were imported by their whole names.
        self._names: dict[str, str] = {}

    def rewrite(self) -> str:
        """Return the new text of the file."""
        try:
            tree = ast.parse(self._text)
            self._drop_loaders(tree)
            self.visit(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self._project.leave(self._file, 0, f"it cannot be read as Python: {error}")
            return self._text
        if self._needs:
            imports = [each for each in tree.body if isinstance(each, (ast.Import, ast.ImportFrom))]
            plain = [each for each in imports if getattr(each, "module", "") != "__future__"]
            # Below the first import, or below a docstring.
            line = (plain or imports or tree.body)[0].end_lineno or 0
            text = f"from {self._dots}_ops import {', '.join(sorted(self._needs))}\n"
            self._edits.append((self._lines[line], self._lines[line], text))
        return apply_edits(self._data, self._edits)

    def _find_span(self, node: Any) -> tuple[int, int]:
        start = self._lines[node.lineno - 1] + node.col_offset
        return start, self._lines[node.end_lineno - 1] + node.end_col_offset

    def _edit(self, node: Any, new: str, what: str) -> None:
        self._edits.append((*self._find_span(node), new))
        self._project.change(self._file, node.lineno, what)

    def _drop_loaders(self, tree: ast.Module) -> None:
        for node in tree.body:
            names = {each.attr for each in ast.walk(node) if isinstance(each, ast.Attribute)}
            is_code = not isinstance(node, (ast.FunctionDef, ast.ClassDef))
            if is_code and names & {"load_library", "CDLL"}:
                new = f"from {self._dots}_ops import ops  # loads the extension"
                self._edit(node, new, "the code that loads a library became an import of _ops")

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = ast.unparse(node)
        if name in self._names:
            self._edit(node, self._names[name], f"{name} became {self._names[name]}")
        elif name.startswith("torch.ops.") and name.removeprefix("torch.ops.") in self._spaces:
            self._edit(node, "ops", f"{name} became ops")
            self._needs.add("ops")
        else:
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        value = node.value if isinstance(node.value, str) else ""
        found = re.fullmatch(r"(\w+)::(\w+(?:\.\w+)?)", value)
        if found and found[1] in self._spaces:
            self._add_prefix(node, found[2])

    def visit_Call(self, node: ast.Call) -> None:
        if getattr(node.func, "attr", "") in ("custom_op", "triton_op") and node.args:
            text = self._data[slice(*self._find_span(node.args[0]))].decode()
            if found := re.fullmatch(r"f?([\"'])(?:\w+|\{\w+\})::(\w+)\1", text):
                self._add_prefix(node.args[0], found[2])
        self.generic_visit(node)

    def _add_prefix(self, node: ast.expr, name: str) -> None:
        self._edit(node, f'{_PREFIX}("{name}")', "a namespace became that of this build")
        self._needs.add(_PREFIX)

    def visit_Import(self, node: ast.Import) -> None:
        lines: list[str] = []
        for each in node.names:
            own, _, rest = each.name.partition(".")
            parent, _, last = rest.rpartition(".")
            name = each.asname or each.name.replace(".", "_")
            if each.name in self._modules:
                lines.append(f"from {self._dots}_ops import ops as {name}")
            elif own == self._own and rest:
                lines.append(f"from {self._dots}{parent} import {last} as {name}")
            else:
                lines.append(f"import {ast.unparse(each)}")
                continue
            self._names |= {} if each.asname else {each.name: name}
        if any(line.startswith("from") for line in lines):
            text = f"\n{' ' * node.col_offset}".join(lines)
            self._edit(node, text, RELATIVE)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        parts = [self._own, *self._folders]
        base = parts[: len(parts) - node.level + 1] if node.level else []
        module = ".".join(filter(None, [*base, node.module]))
        rest = module.removeprefix(self._own).removeprefix(".")
        lines: list[str] = []
        kept: list[str] = []
        for each in node.names:
            name = each.asname or each.name
            if module in self._modules:
                lines = lines or [f"from {self._dots}_ops import ops"]
                lines.append(f"{name} = ops.{each.name}")
            elif f"{module}.{each.name}" in self._modules:
                lines.append(f"from {self._dots}_ops import ops as {name}")
            else:
                kept.append(ast.unparse(each))
        if lines:
            lines += [f"from {self._dots}{rest} import {', '.join(kept)}"] if kept else []
            text = f"\n{' ' * node.col_offset}".join(lines)
            self._edit(node, text, f"the import of {module} became one of _ops")
        elif not node.level and module.split(".")[0] == self._own:
            start, end = self._find_span(node)
            if head := re.compile(rb"from\s+[\w.]+").match(self._data, start, end):
                self._edits.append((start, head.end(), f"from {self._dots}{rest}"))
                self._project.change(self._file, node.lineno, RELATIVE)


def find_package(project: Project, names: Collection[str]) -> str:
    """Return the folder of the Python package, empty if there is none."""
    inits = sorted(each for each in project.files if each.endswith("/__init__.py"))
    folders = {re.sub("^(src|python)/", "", posixpath.dirname(each)): each for each in inits}
    named = [name.replace("-", "_").replace(".", "/") for name in names]
    tops = [name for name in folders if "/" not in name and name not in _OTHERS]
    found = [folders[name] for name in [*named, *tops] if name in folders]
    return posixpath.dirname(found[0]) if found else ""
