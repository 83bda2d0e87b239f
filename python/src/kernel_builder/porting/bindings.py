"""Turns PYBIND11_MODULE, RegisterOperators and TORCH_LIBRARY into the macros of registration.h."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tree_sitter import Node

from kernel_builder.porting.cpp import SCOPES, Unit, get, walk
from kernel_builder.porting.operators import Binder

PYBIND: Final = "PYBIND11_MODULE"
OLD: Final = "RegisterOperators"
HEAD: Final = "(TORCH_EXTENSION_NAME, m)"
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


def write_device(backends: Sequence[str]) -> tuple[str, str, str]:
    """Return the code that goes before `m.impl`, the device there, and the code that defines it."""
    names = {backend: f"c10::k{DEVICES[backend]}" for backend in backends}
    if len(names) == 1:
        return "", next(iter(names.values())), ""
    # Functions take tensors of the CPU in each variant whose extension has the CPU's sources, too.
    plain = [names["cpu"]] if "cpu" in names else []
    lists = {backend: ", ".join(dict.fromkeys([*plain, name])) for backend, name in names.items()}
    tests = [
        f"if defined({backend.upper()}_KERNEL)\nconstexpr c10::DeviceType kDevices[] = {{{names}}};"
        for backend, names in lists.items()
    ]
    text = "\n// The devices whose tensors the operators of a variant take.\n#"
    return "for (auto device : kDevices) ", "device", text + "\n#el".join(tests) + "\n#endif\n"


class Converter:
    """Edits the files that register functions, and collects what they register.

    `files` define operators, `operators` are their names, and `spaces` the namespaces before.
    """

    def __init__(self, units: Mapping[str, Unit], backends: Sequence[str]) -> None:
        self._units, self._binder = units, Binder(units)
        self.files: list[str] = []
        self.operators: list[str] = []
        self.spaces: set[str] = set()
        self._loop, self._device, self._definition = write_device(backends or ["cpu"])

    def convert(self) -> None:
        """Edit all files."""
        converters = {PYBIND: self._convert_pybind, OLD: self._convert_operators}
        macros: dict[str, set[str]] = {}
        found = [(each, *pair) for each in self._units.values() for pair in self._find(each)]
        # The first one defines the library, later ones add to it.
        found.sort(key=lambda each: each[2].endswith(("_IMPL", "_FRAGMENT")))
        for unit, node, name in found:
            new = name if name not in (PYBIND, OLD) else "TORCH_LIBRARY"
            new += "_FRAGMENT_EXPAND" if new.endswith("LIBRARY") and self.files else "_EXPAND"
            unit.change(node, f"{name} became {new}")
            converters.get(name, self._convert_library)(unit, node, new)
            macros.setdefault(unit.file, set()).add(name)
            if unit.file not in self.files and not name.endswith("_IMPL"):
                self.files.append(unit.file)
        if self._units and not found:
            what = f"no {PYBIND}, {OLD} or TORCH_LIBRARY was found: write the binding"
            unit = next(iter(self._units.values()))
            unit.project.leave(unit.file, 0, what)
        for file, names in macros.items():
            _register(self._units[file], self._definition if PYBIND in names else "")

    def _find(self, unit: Unit) -> Iterator[tuple[Node, str]]:
        """Yield the bindings of a file with their macros; edit away what needs one Python."""
        _replace_headers(unit)
        for node in walk(unit.root, SCOPES):
            text = unit.text(get(node, "declarator") or node)
            name = text.partition("(")[0].strip()
            if node.type == "function_definition" and (name == PYBIND or _LIBRARY.fullmatch(name)):
                body = get(node, "body")
                if name != PYBIND or any(each.type != "comment" for each in body.named_children):
                    yield node, name
                else:
                    unit.replace(node, "")
            elif node.type == "function_definition" and "PyInit_" in text:
                unit.replace(node, "")
                unit.change(node, "PyInit_… is gone: REGISTER_EXTENSION defines it")
            elif node.type in ("declaration", "expression_statement") and OLD in text:
                yield node, OLD

    def _convert_operators(self, unit: Unit, node: Node, new: str) -> None:
        """Replace an expression of RegisterOperators; Torch infers the schemas, as before."""
        text = f"{new}{HEAD} {{\n"
        for call, arguments in _list_calls(node):
            words = [unit.text(each) for each in arguments]
            name = re.match(r'"(\w+)::(\w+)', words[0]) if len(words) > 1 else None
            if name:
                words[0] = f'"{words[0].partition("::")[2]}'
                text += f"  m.def({', '.join(words)});\n"
                self.spaces.add(name[1])
                self._add_operator(unit, call, name[2])
        unit.replace(node, f"{text}}}")

    def _add_operator(self, unit: Unit, node: Node, name: str) -> None:
        if name in self.operators:
            unit.leave(node, f"`{name}` is defined twice: name one anew")
        self.operators.append(name)

    def _convert_pybind(self, unit: Unit, node: Node, new: str) -> None:
        """Replace a module where it stands, with the lines of the preprocessor inside."""
        head = get(node, "declarator")
        unit.replace(head, new + HEAD)
        module = unit.text(head).rpartition(",")[2].strip(" )")
        for each in walk(get(node, "body"), _BLOCKS):
            if each.type not in ("expression_statement", "declaration"):
                continue
            text, end = unit.text(each), each.end_byte
            lines: list[str] | None = None
            if text.startswith(f"{module}.doc()"):
                end, lines = len(unit.data) - len(unit.data[end:].lstrip()), []
            elif text.startswith(f"{module}.def("):
                lines = self._bind(unit, each)
            else:
                unit.leave(each, f"no operator: {text[:80]}")
            if lines is None:
                lines = [f"// {line.strip()}" for line in unit.lines(each)]
            written = "\n".join(lines).replace("\n", f"\n{' ' * each.start_point[1]}")
            unit.edits.append((each.start_byte, end, written))

    def _bind(self, unit: Unit, node: Node) -> list[str] | None:
        """Return the lines for a statement with definitions, None if the author has to do one."""
        lines: list[str] = []
        for call, arguments in _list_calls(node):
            if not unit.text(get(call, "function")).endswith(".def") or len(arguments) < 2:
                continue
            name = unit.text(arguments[0]).strip('"')
            operator = self._binder.bind(unit, name, arguments[1:])
            if not operator:
                return None
            schema, code = operator
            self._add_operator(unit, call, name)
            if "Tensor" in schema:
                impl = f'{self._loop}m.impl("{name}", {self._device}, {code});'
                lines += [f'm.def("{schema}");', impl]
            else:
                lines.append(f'm.def("{schema}", {code});')
        return lines

    def _convert_library(self, unit: Unit, node: Node, new: str) -> None:
        head = get(node, "declarator")
        name, first = get(head, "declarator"), get(head, "parameters").named_children[0]
        space = unit.text(first)
        unit.replace(name, new)
        unit.replace(first, "TORCH_EXTENSION_NAME")
        self.spaces |= {space} - {"TORCH_EXTENSION_NAME"}
        for each in walk(node):
            if each.type == "string_literal" and unit.text(each).startswith(f'"{space}::'):
                unit.edits.append((each.start_byte, each.start_byte + len(space) + 3, '"'))
        names = re.findall(r'\bdef\(\s*"(?:\w+::)?(\w+)[("]', unit.text(node))
        self.operators += names


def _list_calls(node: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Yield the calls below a node with their arguments, in the order of their ends."""
    for call in sorted(walk(node), key=lambda each: each.end_byte):
        arguments = get(call, "arguments") if call.type == "call_expression" else None
        if arguments:
            yield call, [each for each in arguments.named_children if each.type != "comment"]


def _replace_headers(unit: Unit) -> None:
    has_torch = b"<torch/all.h>" in unit.data
    for match in _HEADERS.finditer(unit.data):
        header = (match[1] or b"").decode()
        is_torch = header.startswith("torch/") and not has_torch
        has_torch = has_torch or is_torch
        new = "#include <torch/all.h>\n" if is_torch else ""
        unit.edits.append((match.start(), match.end(), new))
        found = f"<{header}>" if header else "the short name of pybind11"
        what = f"{found} {'became <torch/all.h>' if is_torch else 'is gone'}"
        unit.project.change(unit.file, unit.data.count(b"\n", 0, match.start()) + 1, what)


def _register(unit: Unit, definition: str) -> None:
    """Add registration.h below the other headers."""
    places = [each.end_byte for each in unit.root.named_children if each.type == "preproc_include"]
    at = max(places, default=0)
    at = next((stop for start, stop, _ in unit.edits if start < at <= stop), at)
    unit.edits.append((at, at, f"\n{REGISTRATION}{definition}"))
