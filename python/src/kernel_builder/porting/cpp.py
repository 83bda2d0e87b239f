"""Parses C++ and CUDA: the syntax tree of a file, and the signatures of its functions."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from kernel_builder.porting.project import Project

MAX_NODES: Final = 500_000
SCOPES: Final = frozenset({
    "translation_unit", "namespace_definition", "declaration_list", "linkage_specification",
    "template_declaration", "preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "ERROR",
})  # fmt: skip
_FUNCTIONS: Final = {"function_definition", "declaration"}
_PARSER: Final = Parser(Language(tree_sitter_cpp.language()))
# Words that the grammar of C++ does not know: they are read as blanks.
_BLANKS: Final = re.compile(
    rb"<<<(?:(?!<<<|;).){0,1000}?>>>"
    rb"|\b__(?:global|device|host|forceinline|restrict|inline|noinline)__\b"
    rb"|\b__launch_bounds__[ ]*\([^()]{0,200}\)"
    rb"|\b[A-Z][A-Z0-9_]*_(?:API|EXPORT)\b(?=[ ]+[A-Za-z:_])",
    re.DOTALL,
)


@dataclass(frozen=True)
class Function:
    """A function with the types and names of its parameters as they are written."""

    name: str
    file: str
    returns: str
    parameters: tuple[tuple[str, str], ...]
    body: Node | None


@dataclass
class Unit:
    """A file of C++ or CUDA: its tree, its functions, and edits as (start, end, new text)."""

    project: Project
    file: str
    data: bytes
    # The same without words that are no C++, of which `root` is the tree.
    plain: bytes
    root: Node
    functions: list[Function] = field(default_factory=list)
    edits: list[tuple[int, int, str]] = field(default_factory=list)

    def text(self, node: Node | None) -> str:
        """Return the text of a node, on one line."""
        return " ".join(" ".join(self.lines(node)).split()) if node else ""

    def leave(self, node: Node, text: str) -> None:
        """Note something at a node that the author has to do."""
        self.project.leave(self.file, node.start_point[0] + 1, text)

    def change(self, node: Node, text: str) -> None:
        """Note a change at a node."""
        self.project.change(self.file, node.start_point[0] + 1, text)

    def replace(self, node: Node, text: str) -> None:
        """Replace a node."""
        self.edits.append((node.start_byte, node.end_byte, text))

    def lines(self, node: Node) -> list[str]:
        """Return the lines of a node."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace").splitlines()


def get(node: Node | None, name: str) -> Any:
    """Return a field of a node, None if there is none."""
    return node.child_by_field_name(name) if node else None


def walk(node: Node, types: frozenset[str] | set[str] | None = None) -> Iterator[Node]:
    """Yield a node and all below, only through nodes of some types if these are given."""
    todo = [node]
    for _ in range(MAX_NODES):
        if not todo:
            return
        each = todo.pop()
        yield each
        if types is None or each.type in types:
            todo += reversed(each.named_children)


def parse(project: Project, file: str) -> Unit:
    """Return a file with its functions."""
    data = project.read(file).encode()
    plain = _BLANKS.sub(lambda at: re.sub(rb"[^\n]", b" ", at[0]), data)
    unit = Unit(project, file, data, plain, _PARSER.parse(plain).root_node)
    nodes = [each for each in walk(unit.root, SCOPES) if each.type in _FUNCTIONS]
    unit.functions += filter(None, (_read_function(unit, each) for each in nodes))
    return unit


def _unwrap(node: Node | None) -> Node | None:
    """Return the declarator below the marks of pointers and references."""
    while node and node.type in ("pointer_declarator", "reference_declarator"):
        node = node.named_children[-1] if node.named_children else None
    return node


def _read_function(unit: Unit, node: Node) -> Function | None:
    outer = get(node, "declarator")
    inner = _unwrap(outer)
    if not outer or not inner or inner.type != "function_declarator":
        return None
    marks = unit.data[outer.start_byte : inner.start_byte].decode(errors="replace").strip()
    returns = read_trailing(unit, inner) or unit.text(get(node, "type")) + marks
    name = unit.text(get(inner, "declarator"))
    return Function(name, unit.file, returns, read_parameters(unit, inner), get(node, "body"))


def read_trailing(unit: Unit, declarator: Node | None) -> str:
    """Return the type behind the arrow of a declarator, if it has one."""
    nodes = declarator.named_children if declarator else []
    found = [unit.text(each) for each in nodes if each.type == "trailing_return_type"]
    return "".join(found).removeprefix("->").strip()


def read_parameters(unit: Unit, declarator: Node | None) -> tuple[tuple[str, str], ...]:
    """Return type and name of each parameter."""
    found = []
    for node in getattr(get(declarator, "parameters"), "named_children", []):
        if node.type not in ("parameter_declaration", "optional_parameter_declaration"):
            continue
        value, name = get(node, "default_value"), _unwrap(get(node, "declarator"))
        end = value.start_byte if value else node.end_byte
        data = unit.plain[node.start_byte : end]
        is_named = name is not None and name.type == "identifier"
        if name and is_named:
            start = unit.plain[node.start_byte : name.start_byte]
            data = start + b" " + unit.plain[name.end_byte : end]
        text = " ".join(data.decode(errors="replace").split())
        found.append((text.rstrip("= "), unit.text(name) if is_named else ""))
    return () if found == [("void", "")] else tuple(found)
