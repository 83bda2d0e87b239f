"""Rewrites the imports and operators of a Python package: it finds them through its `_ops`."""

import ast
import posixpath
import re
import sys
from collections.abc import Collection
from typing import Any, Final

from kernel_builder.porting.project import Project

_PREFIX: Final = "add_op_namespace_prefix"
# Packages that every build of a kernel can import.
_WITH_TORCH: Final = {"numpy", "packaging", "torch", "triton"}
_OTHERS: Final = {"benchmark", "benchmarks", "docs", "examples", "scripts", "test", "tests"}


class PythonFile(ast.NodeVisitor):
    """A module of the package, with edits as (start, end, new text) in bytes.

    `package` is the folder of the package in the project. `modules` are the names that extensions
    had, as fused_ssim_cuda or pkg._C, and `spaces` those of their operators.
    """

    def __init__(
        self,
        project: Project,
        file: str,
        package: str,
        modules: Collection[str],
        spaces: Collection[str],
    ) -> None:
        self._project, self._file, self._modules, self._spaces = project, file, modules, spaces
        self._own = posixpath.basename(package)
        *self._folders, _ = posixpath.relpath(file, package).split("/")
        self._dots = "." * (len(self._folders) + 1)
        self._text = project.read(file)
        self._data = self._text.encode(errors="surrogateescape")
        self._lines = [0]
        for line in self._data.splitlines(keepends=True):
            self._lines.append(self._lines[-1] + len(line))
        self._edits: list[tuple[int, int, str]] = []
        self._needs: set[str] = set()
        # Short names for modules that were imported by their whole names.
        self._names: dict[str, str] = {}

    def rewrite(self) -> str:
        """Return the new text of the file."""
        try:
            tree = ast.parse(self._text)
            self._drop_loaders(tree)
            self._find_others(tree)
            self.visit(tree)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            self._project.leave(self._file, 0, f"it cannot be read as Python: {error}")
            return self._text
        if self._needs:
            at = self._find_place(tree)
            text = f"from {self._dots}_ops import {', '.join(sorted(self._needs))}\n"
            self._edits.append((at, at, text))
        kept: list[tuple[int, int, str]] = []
        for edit in sorted(self._edits, key=lambda each: (each[0], -each[1])):
            # An edit of a statement takes those inside of it away.
            kept += [edit] if not kept or edit[0] >= kept[-1][1] else []
        data = self._data
        for start, end, new in reversed(kept):
            data = data[:start] + new.encode() + data[end:]
        return data.decode(errors="surrogateescape")

    def _start(self, node: Any) -> int:
        return int(self._lines[node.lineno - 1] + node.col_offset)

    def _edit(self, node: Any, new: str, what: str) -> None:
        end = self._lines[node.end_lineno - 1] + node.end_col_offset
        self._edits.append((self._start(node), end, new))
        self._project.change(self._file, node.lineno, what)

    def _find_place(self, tree: ast.Module) -> int:
        """Return where an import can stand: below the first import that is not of __future__."""
        imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
        plain = [each for each in imports if getattr(each, "module", "") != "__future__"]
        start = [node for node in tree.body[:1] if isinstance(node, ast.Expr)]
        above = plain[:1] or imports[-1:] or start
        return min(self._lines[above[0].end_lineno or 0], len(self._data)) if above else 0

    def _drop_loaders(self, tree: ast.Module) -> None:
        for node in tree.body:
            calls = [
                each
                for each in ast.walk(node)
                if isinstance(each, ast.Attribute) and each.attr in ("load_library", "CDLL")
            ]
            if calls and isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                what = "it loads a library: importing _ops does this"
                self._project.leave(self._file, calls[0].lineno, what)
            elif calls:
                new = f"from {self._dots}_ops import ops  # loads the extension"
                self._edit(node, new, "the code that loads a library became an import of _ops")

    def _find_others(self, tree: ast.Module) -> None:
        """Note packages that an import of the kernel needs, and that do not come with Torch."""
        for node in tree.body:
            names = [each.name for each in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in {each.partition(".")[0] for each in names}:
                is_own = name == self._own or name in self._modules
                if not is_own and name not in {*sys.stdlib_module_names, *_WITH_TORCH}:
                    what = f"name {name} in `python-depends`, or import it in functions alone"
                    self._project.leave(self._file, node.lineno, what)

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
            new = f'{_PREFIX}("{found[2]}")'
            self._edit(node, new, f'"{value}" became {new}')
            self._needs.add(_PREFIX)

    def visit_Call(self, node: ast.Call) -> None:
        is_library = isinstance(node.func, ast.Attribute) and node.func.attr == "Library"
        first = node.args[0] if node.args else None
        if is_library and isinstance(first, ast.Constant) and first.value in self._spaces:
            self._edit(first, "ops.name", "the library became that of ops")
            self._needs.add("ops")
        self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        lines: list[str] = []
        for each in node.names:
            own, _, rest = each.name.partition(".")
            parent, _, last = rest.rpartition(".")
            name = each.asname or each.name.replace(".", "_")
            as_name = f" as {each.asname}" if each.asname else ""
            if each.name in self._modules:
                line = f"from {self._dots}_ops import ops as {name}"
            elif own == self._own and rest:
                line = f"from {self._dots}{parent} import {last} as {name}"
            else:
                lines.append(f"import {each.name}{as_name}")
                if own == self._own:
                    what = f"`import {own}`: import relatively, since the package has no fixed name"
                    self._project.leave(self._file, node.lineno, what)
                continue
            lines.append(line)
            self._names |= {} if each.asname else {each.name: name}
        if any(line.startswith("from") for line in lines):
            text = f"\n{' ' * node.col_offset}".join(lines)
            self._edit(node, text, "the import is relative")

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        parts = [self._own, *self._folders]
        base = parts[: len(parts) - node.level + 1] if node.level else []
        module = ".".join([*base, *filter(None, [node.module])])
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
                kept.append(f"{each.name} as {name}" if each.asname else each.name)
        if lines:
            lines += [f"from {self._dots}{rest} import {', '.join(kept)}"] if kept else []
            text = f"\n{' ' * node.col_offset}".join(lines)
            self._edit(node, text, f"the import of {module} became one of _ops")
        elif module == "torch.utils.cpp_extension":
            what = "it compiles at run time: the users of a built kernel need no compiler"
            self._project.leave(self._file, node.lineno, what)
        elif not node.level and module.split(".")[0] == self._own:
            start = self._start(node)
            head = re.match(rb"from\s+[\w.]+", self._data[start:])
            if head:
                self._edits.append((start, start + head.end(), f"from {self._dots}{rest}"))
                self._project.change(self._file, node.lineno, f"the import of {module} is relative")


def find_package(project: Project, names: Collection[str]) -> str:
    """Return the folder of the Python package, empty if there is none."""
    for name in names:
        for start in ("", "src/", "python/"):
            path = f"{start}{name.replace('-', '_').replace('.', '/')}"
            if f"{path}/__init__.py" in project.files:
                return path
    found = [posixpath.dirname(each) for each in project.files if each.endswith("/__init__.py")]
    plain = [
        each for each in found if each.removeprefix("src/").removeprefix("python/").count("/") == 0
    ]
    return next((each for each in sorted(plain) if posixpath.basename(each) not in _OTHERS), "")
