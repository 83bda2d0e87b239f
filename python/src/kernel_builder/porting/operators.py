"""Makes operators for Torch of functions in C++: a schema, and the code that Torch calls.

If Torch does not take a function as it is, because of an `int` or a `float`, a lambda converts the
arguments.
"""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import ascii_lowercase
from typing import Final

from tree_sitter import Node

from kernel_builder.porting.cpp import Function, Unit, get, read_parameters, read_trailing

# The schema's type of a C++ type, the type that an operator takes, and how the function gets it.
TYPES: Final[Mapping[str, Sequence[str]]] = json.loads(
    Path(__file__).with_name("types.json").read_text(encoding="utf-8")
)
MAX_TYPE: Final = 1_000
MAX_PARAMETERS: Final = 64
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
    schema, type_ = (", ".join(each[at] for each in known) for at in (0, 1))
    return (f"({schema})", f"std::tuple<{type_}>") if inner else (schema, type_)


class Binder:
    """Makes operators of functions, which it finds by their names in all files."""

    def __init__(self, units: Mapping[str, Unit]) -> None:
        self._units = units
        self._index: dict[str, list[Function]] = {}
        for unit in units.values():
            for function in unit.functions:
                plain = function.name.rpartition("::")[2]
                self._index.setdefault(plain, []).append(function)

    def find(self, name: str, file: str) -> Function | None:
        """Return a function by its name, at best of the same file and with its body."""

        def rank(each: Function) -> tuple[bool, bool, bool]:
            return each.name != name, each.file != file, each.body is None

        # Casts and calls name no function.
        name = re.sub(r"<.*", "", name) if re.fullmatch(r"[\w:<>, ]+", name) else ""
        return min(self._index.get(name.rpartition("::")[2], []), key=rank, default=None)

    def bind(self, unit: Unit, name: str, nodes: Sequence[Node]) -> tuple[str, str] | None:
        """Return the schema and the code of a bound function, None with a note if it has none.

        `nodes` are the function and what describes its arguments.
        """
        code, *given = nodes
        callee = unit.text(code).removeprefix("&").strip()
        is_lambda = code.type == "lambda_expression"
        function = self._read_lambda(unit, code) if is_lambda else self.find(callee, unit.file)
        if not function or len(function.parameters) > MAX_PARAMETERS:
            unit.leave(code, f"`{name}`: no plain function {callee} was found")
            return None
        result = read_return(function.returns)
        unknown = [text for text, _ in function.parameters if normalize(text) not in TYPES]
        if unknown or not result:
            what = ", ".join(unknown) or f"{function.returns}, which it returns"
            unit.leave(code, f"`{name}`: no schema has the type {what}")
            return None
        words, marks = [], iter(ascii_lowercase)
        arguments = _read_arguments(unit, name, function, given)
        for at, ((text, _), argument) in enumerate(zip(function.parameters, arguments)):
            kind = TYPES[normalize(text)][0]
            if self.is_written(function, at):
                kind = kind.replace("Tensor", f"Tensor({next(marks, 'z')}!)")
            words.append(f"{kind} {argument}")
        schema = f"{name}({', '.join(words)}) -> {result[0]}"
        if result[0] == "()" and "!" not in schema:
            what = f"`{name}` returns nothing: mark the argument that it writes as Tensor(a!)"
            unit.leave(code, what)
        is_same = normalize(function.returns) in ("void", normalize(result[1]))
        takes_same = all(is_native(text) for text, _ in function.parameters)
        if is_same and takes_same and "&" not in function.returns:
            return schema, callee if is_lambda else f"&{callee}"
        callee = f"({callee})" if is_lambda else callee
        return schema, _wrap(callee, function.parameters, result[1])

    def _read_lambda(self, unit: Unit, code: Node) -> Function:
        """Return a lambda as a function."""
        body, declarator = get(code, "body"), get(code, "declarator")
        call = re.search(r"\breturn\b(?: ([\w:]+)\()?", unit.text(body))
        called = self.find(call[1], unit.file) if call and call[1] else None
        returns = read_trailing(unit, declarator)
        returns = returns or (called.returns if called else "auto" if call else "void")
        return Function("", unit.file, returns, read_parameters(unit, declarator), body)

    def is_written(self, function: Function, at: int) -> bool:
        """Say if a function writes to a tensor by its name, or has no other result."""
        text, name = function.parameters[at]
        body = self._units[function.file].text(function.body) if "Tensor" in text and name else ""
        method = rf"\b{re.escape(name)}(?:\.|->)(?:\w+(?<!requires_grad)_\(|mutable_data_ptr)"
        item = rf"\b{re.escape(name)}(?:\[[^\]]*\])+ *[-+*/]?=(?!=)"
        is_open = "&" in text or normalize(text) == "Tensor"
        is_result = is_open and not is_constant(text) and normalize(function.returns) == "void"
        return is_result or re.search(f"{method}|{item}", body) is not None


def _read_arguments(unit: Unit, name: str, function: Function, given: Sequence[Node]) -> list[str]:
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
            unit.leave(given[0], f"`{name}`: the default {value} is not in the schema")
        arguments.append(f"{word}{'_' * (word in _RESERVED)}{''.join(texts[:1])}")
    return arguments


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
