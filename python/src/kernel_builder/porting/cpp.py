"""Reads C++ and CUDA by their syntax trees, and makes operators for Torch of their functions.

A function that was bound for Python becomes an operator with a schema. If Torch does not take the
function as it is, because of an `int` or a `float`, a lambda converts the arguments.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import tree_sitter_cpp
from tree_sitter import Language, Node, Parser

from kernel_builder.porting.project import Project

# The schema's type of a C++ type, the type that an operator takes, and how the function gets it.
TYPES: Final[Mapping[str, Sequence[str]]] = json.loads(
    Path(__file__).with_name("types.json").read_text(encoding="utf-8")
)
MAX_NODES: Final = 500_000
MAX_TYPE: Final = 1_000
MAX_PARAMETERS: Final = 64
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
_ARGUMENT: Final = re.compile(
    r'(?:[\w:]*arg\("(\w+)"\)|"(\w+)"_a)(?:\.noconvert\(\)|\.none\([^)]*\))?(?: ?= ?(.*))?'
)
# Defaults of C++ as a schema has them.
_DEFAULTS: Final = {
    "": "",
    "true": "=True",
    "false": "=False",
    r"nullptr|nullopt|none\(\)|optional<.*>(\(\)|\{\})": "=None",
    r"(-?[\d.]+(?:e-?\d+)?)[fFlLuU]*": r"=\1",
    r'"([^"\\]*)"': r'=\\"\1\\"',
}
# Names of parameters that a schema or Python cannot have.
_RESERVED: Final = {"def", "from", "in", "is", "lambda", "self"}


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

    def lines(self, node: Node) -> list[str]:
        """Return the lines of a node."""
        return self.data[node.start_byte : node.end_byte].decode(errors="replace").splitlines()


def get(node: Node | None, name: str) -> Any:
    """Return a field of a node, None if there is none."""
    return node.child_by_field_name(name) if node else None


def line_of(node: Node) -> int:
    """Return the line of a node."""
    return node.start_point[0] + 1


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
    unit = Unit(file, data, plain, _PARSER.parse(plain).root_node)
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


def normalize(text: str) -> str:
    """Return a C++ type without const, references and namespaces: `optional<Tensor>`."""
    text = re.sub(r"\b(const|struct|inline|static)\b|&", " ", text[:MAX_TYPE])
    text = re.sub(r"\b(?:torch|at|c10|std|caffe2)::|(?<![\w>])::", "", text)
    return re.sub(r" ?([<>,*]) ?", r"\1", " ".join(text.split()))


def is_constant(text: str) -> bool:
    """Say if a parameter is const, apart from what its template's arguments are."""
    return "const" in text.partition("<")[0]


def is_native(text: str) -> bool:
    """Say if Torch calls a function with a parameter of this type as it is."""
    plain = normalize(text)
    if len(TYPES.get(plain, "none")) > 2 or "const" in text.partition("<")[2]:
        return False
    return plain == "Tensor" or "&" not in text or is_constant(text)


def read_return(text: str) -> tuple[str, str] | None:
    """Return the schema of a return type and the type that an operator has, None if unknown."""
    plain = normalize(text)
    if plain == "void":
        return "()", "void"
    inner = re.fullmatch(r"tuple<(.*)>", plain)
    parts = re.split(r",(?![^<]*>)", inner[1]) if inner else [plain]
    known = [TYPES[part] for part in parts if part in TYPES]
    # The compiler makes an int64_t of an int, but no list of another list.
    if len(known) < len(parts) or any("{0}" in each[-1] or "c_str" in each[-1] for each in known):
        return None
    schemas, types = [each[0] for each in known], [each[1] for each in known]
    if not inner:
        return schemas[0], types[0]
    return f"({', '.join(schemas)})", f"std::tuple<{', '.join(types)}>"


class Binder:
    """Makes operators of functions, which it finds by their names in all files."""

    def __init__(self, project: Project, units: Mapping[str, Unit]) -> None:
        self.project, self.units = project, units
        self._index: dict[str, list[Function]] = {}
        for unit in units.values():
            for function in unit.functions:
                plain = function.name.rpartition("::")[2]
                self._index.setdefault(plain, []).append(function)

    def find(self, name: str, file: str) -> Function | None:
        """Return a function by its name, at best of the same file and with its body."""

        def rank(each: Function) -> tuple[bool, bool, bool]:
            return each.name != name, each.file != file, each.body is None

        name = re.sub(r"<.*", "", name)
        return min(self._index.get(name.rpartition("::")[2], []), key=rank, default=None)

    def bind(
        self, unit: Unit, name: str, code: Node, given: Sequence[Node]
    ) -> tuple[str, str] | None:
        """Return the schema and the code of a bound function, None with a note if it has none."""
        line = line_of(code)
        callee = unit.text(code).removeprefix("&").strip()
        is_lambda, function = code.type == "lambda_expression", None
        if is_lambda:
            function = self._read_lambda(unit, name, code)
        elif re.fullmatch(r"[\w:<>, ]+", callee):
            function = self.find(callee, unit.file)
        if not function or len(function.parameters) > MAX_PARAMETERS:
            self.project.leave(unit.file, line, f"`{name}`: no plain function {callee} was found")
            return None
        result = read_return(function.returns)
        unknown = [text for text, _ in function.parameters if normalize(text) not in TYPES]
        if unknown or not result:
            what = ", ".join(unknown) or f"{function.returns}, which it returns"
            self.project.leave(unit.file, line, f"`{name}`: no schema has the type {what}")
            return None
        words, marks = [], iter("abcdefghijklmnopqrstuvwxyz")
        arguments = self._read_arguments(unit, name, function, given)
        for at, ((text, _), argument) in enumerate(zip(function.parameters, arguments)):
            kind = TYPES[normalize(text)][0]
            if self.is_written(function, at):
                kind = kind.replace("Tensor", f"Tensor({next(marks, 'z')}!)")
            words.append(f"{kind} {argument}")
        schema = f"{name}({', '.join(words)}) -> {result[0]}"
        if result[0] == "()" and "!" not in schema:
            what = f"`{name}` returns nothing: mark the argument that it writes as Tensor(a!)"
            self.project.leave(unit.file, line, what)
        native = normalize(function.returns) in ("void", normalize(result[1]))
        native = native and "&" not in function.returns
        if native and all(is_native(text) for text, _ in function.parameters):
            return schema, callee if is_lambda else f"&{callee}"
        callee = f"({callee})" if is_lambda else callee
        return schema, _wrap(callee, function.parameters, result[1])

    def _read_lambda(self, unit: Unit, name: str, code: Node) -> Function:
        """Return a lambda as a function."""
        body, declarator = get(code, "body"), get(code, "declarator")
        call = re.search(r"\breturn\b(?: ([\w:]+)\()?", unit.text(body))
        called = self.find(call[1], unit.file) if call and call[1] else None
        returns = read_trailing(unit, declarator)
        returns = returns or (called.returns if called else "auto" if call else "void")
        return Function(name, unit.file, returns, read_parameters(unit, declarator), body)

    def _read_arguments(
        self, unit: Unit, name: str, function: Function, given: Sequence[Node]
    ) -> list[str]:
        """Return the name and the default of each parameter, as a schema has them."""
        found = [_ARGUMENT.fullmatch(unit.text(node)) for node in given]
        named = [(each[1] or each[2], each[3] or "") for each in found if each]
        if len(named) != len(function.parameters):
            named = [(each or f"arg{at}", "") for at, (_, each) in enumerate(function.parameters)]
        arguments = []
        for word, value in named:
            plain = re.sub(r"^(?:(?:py|pybind11|std|c10|at|torch)::)+", "", value)
            defaults = [(re.fullmatch(known, plain), new) for known, new in _DEFAULTS.items()]
            texts = [match.expand(new) for match, new in defaults if match]
            if not texts:
                what = f"`{name}`: the default {value} is not in the schema"
                self.project.leave(unit.file, line_of(given[0]), what)
            arguments.append(f"{word}{'_' * (word in _RESERVED)}{''.join(texts[:1])}")
        return arguments

    def is_written(self, function: Function, at: int) -> bool:
        """Say if a function writes to a tensor by its name, or has no other result."""
        text, name = function.parameters[at]
        body = self.units[function.file].text(function.body) if "Tensor" in text and name else ""
        method = rf"\b{re.escape(name)}(?:\.|->)(?:\w+(?<!requires_grad)_\(|mutable_data_ptr)"
        item = rf"\b{re.escape(name)}(?:\[[^\]]*\])+ *[-+*/]?=(?!=)"
        is_open = "&" in text or normalize(text) == "Tensor"
        is_result = is_open and not is_constant(text) and normalize(function.returns) == "void"
        return is_result or re.search(f"{method}|{item}", body) is not None


def _wrap(callee: str, parameters: Sequence[tuple[str, str]], returns: str) -> str:
    """Return a lambda that takes what Torch gives, and calls a function with its own types."""
    takes, passes, lines = [], [], []
    for at, (text, name) in enumerate(parameters):
        name = name or f"arg{at}"
        _, kind, *convert = TYPES[normalize(text)]
        value = convert[0].format(name) if convert else name
        if kind == "at::Tensor":
            kind = "at::Tensor&" if "&" in text and not is_constant(text) else "const at::Tensor&"
        elif "&" in text and not is_constant(text):
            # The function takes a reference to a variable.
            lines.append(f"{text.rstrip('& ')} {name}_ = {value};")
            value = f"{name}_"
        takes.append(f"{kind} {name}")
        passes.append(value)
    lines.append(f"{'return ' * (returns != 'void')}{callee}({', '.join(passes)});")
    body = "".join(f"\n  {line}" for line in lines)
    return f"[]({', '.join(takes)}) -> {returns} {{{body}\n}}"
