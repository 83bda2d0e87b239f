"""Turns PYBIND11_MODULE, RegisterOperators and TORCH_LIBRARY into the macros of registration.h."""

import re
from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from tree_sitter import Node

from kernel_builder.porting.cpp import SCOPES, Binder, Operator, Unit, get, walk
from kernel_builder.porting.project import Project

PYBIND: Final = "PYBIND11_MODULE"
REGISTRATION: Final = '#include "registration.h"\n'
# One file of the kernel has the function by which Python loads the extension.
END: Final = "\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n"
DEVICES: Final = {"cpu": "CPU", "cuda": "CUDA", "rocm": "CUDA", "metal": "MPS", "xpu": "XPU"}
# Headers that need those of one Python, and the short name of pybind11.
_HEADERS: Final = re.compile(
    rb"^[ \t]*#[ \t]*include[ \t]*<(torch/extension\.h|torch/python\.h|pybind11/[^>]*|Python\.h"
    rb"|torch/csrc/utils/pybind\.h|torch/csrc/python_headers\.h)>[^\n]*\n?"
    rb"|^[ \t]*namespace[ \t]+\w+[ \t]*=[ \t]*(?:::)?pybind11;[^\n]*\n?",
    re.MULTILINE,
)
_LIBRARY: Final = re.compile(r"(STABLE_)?TORCH_LIBRARY(_IMPL|_FRAGMENT)?")
_BLOCKS: Final = {"compound_statement", "preproc_if", "preproc_ifdef", "preproc_else"}


@dataclass(frozen=True)
class Binding:
    """A block or an expression that registers functions; `name` is its macro or class."""

    unit: Unit
    node: Node
    name: str

    @property
    def line(self) -> int:
        return self.node.start_point[0] + 1


@dataclass
class Bindings:
    """The files that define operators, the operators, and the namespaces that they had."""

    files: list[str] = field(default_factory=list)
    operators: list[str] = field(default_factory=list)
    spaces: set[str] = field(default_factory=set)


def convert(project: Project, units: Mapping[str, Unit], backends: Sequence[str]) -> Bindings:
    """Edit all files that register functions; return what they register."""
    result, (device, definition) = Bindings(), write_device(backends)
    binder = Binder(project, units)
    found = [each for unit in units.values() for each in find_bindings(project, unit)]
    # The first one defines the library, later ones add to it.
    found.sort(key=lambda each: each.name.endswith(("_IMPL", "_FRAGMENT")))
    registered: set[str] = set()
    for binding in found:
        file = binding.unit.file
        if _LIBRARY.fullmatch(binding.name):
            _convert_library(project, binding, result)
        else:
            _convert_binding(binder, binding, device, result)
        if file not in registered:
            _register(binding.unit, definition if binding.name == PYBIND else "")
        registered.add(file)
        if file not in result.files and not binding.name.endswith("_IMPL"):
            result.files.append(file)
    if not found:
        what = "no PYBIND11_MODULE, RegisterOperators or TORCH_LIBRARY was found: write the binding"
        project.leave(next(iter(units), ""), 0, what)
    for unit in units.values():
        _find_rest(project, unit)
    return result


def write_device(backends: Sequence[str]) -> tuple[str, str]:
    """Return the name of the device that operators are for, and the code that defines it."""
    names = [f"c10::k{DEVICES[backend]}" for backend in backends]
    if len(names) == 1:
        return names[0], ""
    lines = ["\n// A variant has the code of one backend: its operators take tensors of that one."]
    for backend, name in zip(backends, names):
        word = "#if" if len(lines) == 1 else "#elif"
        lines.append(f"{word} defined({backend.upper()}_KERNEL)\nconstexpr auto kBackend = {name};")
    return "kBackend", "\n".join([*lines, "#endif\n"])


def find_bindings(project: Project, unit: Unit) -> Iterator[Binding]:
    """Yield the bindings of a file; edit away what needs one Python beside them."""
    has_torch = b"<torch/all.h>" in unit.data
    for match in _HEADERS.finditer(unit.data):
        header = (match[1] or b"").decode()
        is_torch = header.startswith("torch/") and not has_torch
        has_torch = has_torch or is_torch
        new = "#include <torch/all.h>\n" if is_torch else ""
        unit.edits.append((match.start(), match.end(), new))
        found = f"<{header}>" if header else "the short name of pybind11"
        line = unit.data.count(b"\n", 0, match.start()) + 1
        project.change(
            unit.file, line, f"{found} {'became <torch/all.h>' if is_torch else 'is gone'}"
        )
    for node in walk(unit.root, SCOPES):
        text = unit.head(node)
        name = text.partition("(")[0].strip()
        if node.type == "function_definition" and (name == PYBIND or _LIBRARY.fullmatch(name)):
            body = get(node, "body")
            if name != PYBIND or [each for each in body.named_children if each.type != "comment"]:
                yield Binding(unit, node, name)
            else:
                unit.edits.append((node.start_byte, node.end_byte, ""))
        elif node.type == "function_definition" and "PyInit_" in text:
            unit.edits.append((node.start_byte, node.end_byte, ""))
            line = node.start_point[0] + 1
            project.change(unit.file, line, "PyInit_… is gone: REGISTER_EXTENSION defines it")
        elif node.type in ("declaration", "expression_statement") and "RegisterOperators" in text:
            yield Binding(unit, node, "RegisterOperators")


def write_operator(operator: Operator, device: str, is_old: bool) -> list[str]:
    """Return the lines that register an operator: for one device, or as before for all."""
    if is_old or not operator.has_tensor:
        return [f'm.def("{operator.schema}", {operator.code});']
    name = operator.schema.partition("(")[0]
    return [f'm.def("{operator.schema}");', f'm.impl("{name}", {device}, {operator.code});']


def _bind_all(binder: Binder, unit: Unit, node: Node, result: Bindings) -> list[Operator | None]:
    """Return the operator of each definition in a node, None for one that the author has to do."""
    found: list[Operator | None] = []
    for call in sorted(walk(node), key=lambda each: each.end_byte):
        function, nodes = get(call, "function"), get(call, "arguments")
        if call.type != "call_expression" or not function:
            continue
        end, line = function.end_byte, call.start_point[0] + 1
        if not re.search(rb"(\.|->)\s*(def|op)$", unit.data[max(end - 40, 0) : end]):
            continue
        arguments = (
            [each for each in nodes.named_children if each.type != "comment"] if nodes else []
        )
        name = re.fullmatch(r'"(?:(\w+)::)?(\w+)"', unit.text(arguments[0]) if arguments else "")
        if not name or len(arguments) < 2:
            binder.project.leave(unit.file, line, f"not read: {unit.text(call)[-60:]}")
            found.append(None)
            continue
        result.spaces |= {name[1]} - {None}
        operator = binder.bind(unit, name[2], arguments[1], arguments[2:])
        if name[2] in result.operators:
            binder.project.leave(unit.file, line, f"`{name[2]}` is defined twice: name one anew")
        result.operators += [name[2]] if operator else []
        found.append(operator)
    return found


def _convert_binding(binder: Binder, binding: Binding, device: str, result: Bindings) -> None:
    """Replace a binding where it stands, with the lines of the preprocessor inside."""
    unit, node, is_old = binding.unit, binding.node, binding.name != PYBIND
    macro = f"TORCH_LIBRARY{'_FRAGMENT' if result.files else ''}_EXPAND"
    new = f"{macro}(TORCH_EXTENSION_NAME, m)"
    binder.project.change(unit.file, binding.line, f"{binding.name} became {macro} with schemas")
    if is_old:
        operators = _bind_all(binder, unit, node, result)
        lines = [line for one in operators if one for line in write_operator(one, device, is_old)]
        text = "".join(f"  {line}\n" for line in lines)
        unit.edits.append((node.start_byte, node.end_byte, f"{new} {{\n{text}}}"))
        return
    head, body = get(node, "declarator"), get(node, "body")
    unit.edits.append((head.start_byte, head.end_byte, new))
    for each in walk(body, _BLOCKS):
        if each.type not in ("expression_statement", "declaration"):
            continue
        operators = _bind_all(binder, unit, each, result)
        lines = [line for one in operators if one for line in write_operator(one, device, is_old)]
        text, end = unit.text(each), each.end_byte
        if ".doc()" in text.partition("=")[0]:
            end = len(unit.data) - len(unit.data[end:].lstrip())
        elif not operators:
            binder.project.leave(unit.file, each.start_point[0] + 1, f"no operator: {text[:80]}")
        if None in operators or (not operators and end == each.end_byte):
            old = unit.data[each.start_byte : end].decode(errors="surrogateescape")
            lines += [f"// {line.strip()}" for line in old.splitlines()]
        unit.edits.append((each.start_byte, end, f"\n{' ' * each.start_point[1]}".join(lines)))


def _convert_library(project: Project, binding: Binding, result: Bindings) -> None:
    unit, node, old = binding.unit, binding.node, binding.name
    head = get(node, "declarator")
    name, first = get(head, "declarator"), get(head, "parameters").named_children[0]
    is_second = old.endswith("LIBRARY") and result.files
    space, new = unit.text(first), f"{old}{'_FRAGMENT' if is_second else ''}_EXPAND"
    unit.edits.append((name.start_byte, name.end_byte, new))
    unit.edits.append((first.start_byte, first.end_byte, "TORCH_EXTENSION_NAME"))
    what = f"{old}({space}, …) became {new}(TORCH_EXTENSION_NAME, …)"
    project.change(unit.file, binding.line, what)
    result.spaces |= {space} - {"TORCH_EXTENSION_NAME"}
    for each in walk(node):
        if each.type == "string_literal" and unit.text(each).startswith(f'"{space}::'):
            unit.edits.append((each.start_byte, each.start_byte + len(space) + 3, '"'))
    result.operators += re.findall(r'\bdef\(\s*"(?:\w+::)?(\w+)[("]', unit.text(node))


def _register(unit: Unit, definition: str) -> None:
    """Add registration.h below the other headers."""
    places = [each.end_byte for each in unit.root.named_children if each.type == "preproc_include"]
    at = max(places, default=0)
    at = next((stop for start, stop, _ in unit.edits if start < at <= stop), at)
    unit.edits.append((at, at, f"\n{REGISTRATION}{definition}"))


def _find_rest(project: Project, unit: Unit) -> None:
    """Note uses of Python that no edit took away."""
    edits = sorted((start, end) for start, end, _ in unit.edits)
    for match in re.finditer(rb"\b(?:py|pybind11)::\w+|\bTHP\w+|\bPyObject\b", unit.data):
        at = bisect(edits, (match.start(), len(unit.data)))
        if not at or edits[at - 1][1] <= match.start():
            line = unit.data.count(b"\n", 0, match.start()) + 1
            project.leave(unit.file, line, f"{match[0].decode()} needs one Python: do without it")
