"""Turns PYBIND11_MODULE, RegisterOperators and TORCH_LIBRARY into the macros of registration.h."""

import posixpath
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from kernel_builder.porting import cpp
from kernel_builder.porting.project import Project, apply_edits
from kernel_builder.porting.recording import read_devices
from kernel_builder.porting.registrations import Binding, Registered

HEAD: Final = "(TORCH_EXTENSION_NAME, {})"
_OURS: Final = "registration.h"
# Before the name of a project's own file that is called so.
_THEIRS: Final = "project_"
REGISTRATION: Final = f'#include "{_OURS}"\n'
HEADER: Final = "registration_types.h"
MAIN: Final = "torch-ext/torch_binding.cpp"
# One file of the kernel has the function by which Python loads the extension.
END: Final = "\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)\n"
# Headers that need those of one Python, and the short name of pybind11.
_HEADERS: Final = re.compile(
    r"^[ \t]*#[ \t]*include[ \t]*[<\"](torch/extension\.h|torch/python\.h|pybind11/[^>\"]*"
    r"|Python\.h|torch/csrc/utils/pybind\.h|torch/csrc/python_headers\.h)[>\"][^\n]*\n?"
    r"|^[ \t]*namespace[ \t]+\w+[ \t]*=[ \t]*(?:::)?pybind11;[^\n]*\n?",
    re.MULTILINE,
)
# The line with which a project lets Python load its extension by that header.
_REGISTER: Final = re.compile(r"^[ \t]*REGISTER_EXTENSION\s*\([^)\n]*\)[ \t;]*\n?", re.MULTILINE)
_INCLUDE: Final = re.compile(
    rf"^[ \t]*#[ \t]*include[ \t]*[<\"](?:[^>\"\n]*/)?()(?={re.escape(_OURS)}[>\"])", re.MULTILINE
)
_INIT: Final = re.compile(r"^[^\n#]*\bPyInit_\w+\s*\([^)]*\)\s*(\{)", re.MULTILINE)
# A function that adds to a module: the whole, its name, the type, and the parameter.
_ADDS: Final = re.compile(r"\b(\w+)\s*\(\s*((?:py|pybind11)::module_?\s*&)\s*(\w*)\s*\)\s*({?)")
_DEF: Final = re.compile(r"\.\s*def(?:_\w+)?\s*(\()")
# Words of an older Torch, with those of today.
_OLD: Final = {
    re.compile(r"\bAT_DISPATCH_\w+\s*\(\s*[^,()]*(\.type\(\))"): ".scalar_type()",
    re.compile(r"\b(AT_CHECK)\s*\("): "TORCH_CHECK",
}
_PYTHON: Final = re.compile(r"\b(py|pybind11)::")


def write_device(backends: Sequence[str]) -> tuple[str, str, str]:
    """Return the code that goes before `m.impl`, the device there, and the code that defines it."""
    names = {name: f"c10::k{key}" for name, key in read_devices().items() if name in backends}
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

    `modules` are the project's extensions. `texts` are the new texts of files, `files` define
    operators, `operators` are their names, and `spaces` the namespaces before. `converted` have
    functions that registration_types.h adapts.
    """

    def __init__(
        self, project: Project, bindings: Mapping[str, Binding], backends: Sequence[str],
        modules: Collection[str],
    ) -> None:  # fmt: skip
        self._project, self._bindings = project, bindings
        self._modules = {name.rpartition(".")[2] for name in modules}
        self.texts: dict[str, str] = {}
        self.files: list[str] = []
        self.operators: list[str] = []
        self.spaces: set[str] = set()
        self._defined: dict[str, str] = {}
        self.converted: set[str] = set()
        self._loop, self._device, self._definition = write_device(backends or ["cpu"])
        self._edits: list[tuple[int, int, str]] = []
        self._file, self._text, self._module = "", "", ""
        # Functions that add to a module, in any file.
        self._adding: set[str] = set()

    def convert(self, files: Sequence[str]) -> None:
        """Edit the files; the first one that defines the library comes first."""
        texts = {name: self._project.read(name) for name in files}
        blocks = {name: cpp.find_blocks(text) for name, text in texts.items()}
        self._adding = {each[1] for text in texts.values() for each in _ADDS.finditer(text)}
        kinds = {
            name: [(each[1] or "").removesuffix("_EXPAND") for each in found]
            for name, found in blocks.items()
        }
        # A file of this name with the same macros would hide the build's.
        renamed = {
            name: posixpath.join(posixpath.dirname(name), f"{_THEIRS}{_OURS}")
            for name, text in texts.items()
            if posixpath.basename(name) == _OURS and any(cpp.find_macros(text))
        }
        ends = ("_IMPL", "_FRAGMENT")
        for name in sorted(files, key=lambda name: all(one.endswith(ends) for one in kinds[name])):
            self._file, self._text, self._edits = name, texts[name], []
            macros = [self._convert_block(match) for match in blocks[name]]
            bodies = [self._convert_function(match) for match in _ADDS.finditer(self._text)]
            for old, new in _OLD.items():
                for match in old.finditer(self._text):
                    self._edit(*match.span(1), new)
                    self._change(match.start(1), f"{match[1]} became {new}, as Torch has it now")
            self._drop_macros()
            for match in _INCLUDE.finditer(self._text) if renamed else ():
                self._edit(*match.span(1), _THEIRS)
            for match in _INIT.finditer(self._text):
                self._edit(match.start(), cpp.find_end(self._text, match.start(1)), "")
                self._change(match.start(), "PyInit_… is gone: REGISTER_EXTENSION defines it")
            includes = "#include <torch/library.h>\n" * bool(bodies) + REGISTRATION * bool(macros)
            has_module = "PYBIND11_MODULE" in macros or any(bodies)
            self._replace_headers(includes, self._definition if has_module else "")
            self.texts[renamed.get(name, name)] = apply_edits(self._text, self._edits)
        if files and not any(blocks.values()):
            what = "no PYBIND11_MODULE, RegisterOperators or TORCH_LIBRARY: write the binding"
            self._project.leave(files[0], 0, what, is_lost=True)

    def _drop_macros(self) -> None:
        """Take away the project's own macros of registration.h, and its last line for Python."""
        for match, name in cpp.find_macros(self._text):
            self._edit(*match.span(), "")
            self._change(match.start(), f"{name} is that of {_OURS}")
        for match in _REGISTER.finditer(self._text):
            self._edit(*match.span(), "")
            self._change(match.start(), f"REGISTER_EXTENSION is in {MAIN}")

    def _edit(self, start: int, end: int, new: str) -> None:
        self._edits.append((start, end, new))

    def _lose(self, line: int, what: str) -> None:
        self._project.leave(self._file, line, what, is_lost=True)

    def _line(self, at: int) -> int:
        return self._text.count("\n", 0, at) + 1

    def _change(self, at: int, text: str) -> None:
        self._project.change(self._file, self._line(at), text)

    def _convert_block(self, match: re.Match[str]) -> str:
        """Replace a block where it stands; return its macro."""
        name = (match[1] or "RegisterOperators").removesuffix("_EXPAND")
        plain = "TORCH_LIBRARY" if name in ("PYBIND11_MODULE", "RegisterOperators") else name
        is_more = plain.endswith("LIBRARY") and self.files
        new = plain + ("_FRAGMENT_EXPAND" if is_more else "_EXPAND")
        self._change(match.start(), f"{name} became {new}")
        if self._file not in self.files and not name.endswith("_IMPL"):
            self.files.append(self._file)
        if name == "RegisterOperators":
            self._convert_operators(match, new)
            return name
        words, end = cpp.split_arguments(self._text, match.start(2))
        body = self._text.find("{", end)
        close = cpp.find_end(self._text, body)
        if name == "PYBIND11_MODULE":
            self._edit(match.start(), end, new + HEAD.format(words[-1]))
            self._convert_module(words[-1], body, close)
        else:
            rest = ", ".join(["TORCH_EXTENSION_NAME", *words[1:]])
            self._edit(match.start(), end, f"{new}({rest})")
            # `CONCAT(TORCH_EXTENSION_NAME, _more)` is a namespace, too.
            own = re.match(r"(?:\w+\()?TORCH_EXTENSION_NAME\b[\s,]*(\w*)", words[0])
            given = {f"{module}{own[1]}" for module in self._modules} if own else {words[0]}
            self.spaces |= given
            for found in re.finditer(rf'"{re.escape(words[0])}::', self._text[body:close]):
                self._edit(body + found.start(), body + found.end(), '"')
            block = self._text[body:close]
            for one in re.finditer(r'\bdef\(\s*"(?:\w+::)?([\w.]+)[("]', block):
                self._add_operator(body + one.start(), one[1], plain)
        return name

    def _convert_function(self, match: re.Match[str]) -> bool:
        """Let a function that adds to a module add to the library; return if its body is here."""
        self._edit(match.start(2), match.start(3), "torch::Library&" + " " * bool(match[3]))
        self._change(match.start(2), f"{match[2]} became torch::Library&")
        if match[4]:
            self._convert_module(match[3], match.start(4), cpp.find_end(self._text, match.start(4)))
        return bool(match[4])

    def _convert_operators(self, match: re.Match[str], new: str) -> None:
        """Replace an expression of RegisterOperators; Torch infers the schemas, as before."""
        end = self._text.find(";", match.end())
        lines, at = [], match.end()
        while call := re.compile(r"\s*\.\s*op\s*(\()").match(self._text, at):
            words, at = cpp.split_arguments(self._text, call.start(1))
            if name := re.match(r'"(\w+)::(\w+)', words[0]):
                words[0] = f'"{words[0].partition("::")[2]}'
                lines.append(f"  m.def({', '.join(words)});\n")
                self.spaces.add(name[1])
                self._add_operator(match.start(), name[2])
        end = max(self._text.find(";", at), at)
        self._edit(match.start(), end + 1, f"{new}{HEAD.format('m')} {{\n{''.join(lines)}}}")

    def _add_operator(self, at: int, name: str, macro: str = "") -> None:
        # Two blocks of TORCH_LIBRARY may be for two backends.
        if name in self._defined and not (macro and self._defined[name]):
            self._lose(self._line(at), f"`{name}` is defined twice: name one anew")
        self._defined[name] = macro
        # The name in Python, of all overloads.
        plain = name.partition(".")[0]
        self.operators += [] if plain in self.operators else [plain]

    def _convert_module(self, module: str, body: int, close: int) -> None:
        binding = self._bindings.get(self._file, Binding((), "the compiler did not read it"))
        self._module, first, last = module, self._line(body), self._line(close)
        found = [each for each in binding.registered if first <= each.line <= last]
        if binding.failed:
            self._lose(first, f"its types are not known: {binding.failed}")
        for name in binding.absent:
            self._lose(0, f"the header {name} is in no package that a kernel has")
        for start, end in cpp.split_statements(self._text, body, close):
            text = self._text[start:end]
            if re.match(rf"{re.escape(module)}\s*\.\s*doc\(\)", text):
                line = self._text.rfind("\n", 0, start)
                self._edit(line if self._text[line:start].isspace() else start, end, "")
                continue
            call = re.match(rf"(?:\w+::)*(\w+)\s*\(\s*{re.escape(module)}\s*\)", text)
            if call and call[1] in self._adding:
                continue
            lines = self._bind(start, end, found, is_read=not binding.failed)
            written = [f"// {line.strip()}" for line in text.splitlines()]
            # Other code may follow in the line.
            written += [""] if self._text[end:].partition("\n")[0].strip() else []
            indent = f"\n{' ' * (start - self._text.rfind(chr(10), 0, start) - 1)}"
            self._edit(start, end, indent.join("\n".join(lines or written).split("\n")))

    def _bind(self, start: int, end: int, found: list[Registered], *, is_read: bool) -> list[str]:
        """Return the lines for a statement with definitions, none if the author has to do it."""
        inner = range(self._line(start), self._line(end - 1) + 1)
        places = [match.start(1) for match in _DEF.finditer(self._text, start, end)]
        calls = [cpp.split_arguments(self._text, place)[0] for place in places]
        given: list[tuple[Registered, str]] = []
        # Overloads are registered in the order of their calls; a macro has no call.
        for name, text in [(*words, "", "")[:2] for words in calls] or [("", "")] * len(found):
            plain = name.strip('"')
            near = (one for one in found if one.line in inner and plain in (one.name, ""))
            if each := next(near, None):
                found.remove(each)
                given.append((each, text))
        lines: list[str] = []
        for each, text in given:
            code = self._write_code(each, text)
            if not each.schema or not code:
                self._leave_one(each, start)
                continue
            self._add_operator(start, each.operator)
            lines += self._write_operator(each, code)
            for argument in each.lost:
                what = f"`{each.name}` lost the default of {argument}: give it in Python"
                self._lose(each.line, what)
            if each.marked != each.schema:
                what = f"if `{each.name}` writes its arguments, its schema is {each.marked}"
                self._project.leave(self._file, each.line, what)
        # Operators of a module in the module have longer names.
        if is_read and not given and "def_submodule(" not in self._text[start:end]:
            text = " ".join(self._text[start:end].split())[:80]
            self._lose(inner[0], f"no operator: {text}")
        return lines

    def _leave_one(self, each: Registered, start: int) -> None:
        types = f" of {', '.join(each.unknown)}" if each.unknown else ""
        why = "it takes objects of Python" if each.kind == "object" else "no schema has its types"
        self._lose(each.line or self._line(start), f"`{each.name}` is no operator: {why}{types}")

    def _write_code(self, each: Registered, text: str) -> str:
        """Return the function that Torch calls."""
        is_lambda = text.startswith("[")
        if not text or _PYTHON.search(text):
            named = re.fullmatch(r"[\w:]+", each.function)
            if is_lambda or not named:
                return ""
            text = f"static_cast<{each.callable}>({each.function})" if each.callable else ""
        if each.is_plain or not text:
            return text if is_lambda or "(" in text or text.startswith("&") else f"&{text}"
        self.converted.add(self._file)
        # Without &: `check-config` warns of functions with an int that are registered as they are.
        return f"porting::adapt({'+' if is_lambda else ''}{text.removeprefix('&').strip()})"

    def _write_operator(self, each: Registered, code: str) -> list[str]:
        schema = each.schema.replace('"', '\\"')
        # Torch finds no device in the arguments of what only makes tensors.
        if "Tensor" not in schema.partition(" -> ")[0]:
            return [f'{self._module}.def("{schema}", {code});']
        impl = f'{self._loop}{self._module}.impl("{each.operator}", {self._device}, {code});'
        return [f'{self._module}.def("{schema}");', impl]

    def _replace_headers(self, includes: str, definition: str) -> None:
        """Take away headers of pybind11 where nothing uses it, and add others."""
        rest = apply_edits(self._text, self._edits)
        rest = re.sub(r"//[^\n]*|/\*.*?(?:\*/|\Z)", "", rest, flags=re.DOTALL)
        rest = _HEADERS.sub("", rest)
        if _PYTHON.search(rest):
            self._lose(0, "it uses pybind11 besides the binding: give it an interface of tensors")
        has_torch = "<torch/all.h>" in self._text
        for match in _HEADERS.finditer(self._text) if not _PYTHON.search(rest) else ():
            header = match[1] or ""
            is_torch = header.startswith("torch/") and not has_torch
            has_torch = has_torch or is_torch
            self._edit(match.start(), match.end(), "#include <torch/all.h>\n" if is_torch else "")
            found = f"<{header}>" if header else "the short name of pybind11"
            new = "became <torch/all.h>" if is_torch else "is gone"
            self._change(match.start(), f"{found} {new}")
        if includes:
            at = self._find_place()
            at = next((stop for start, stop, _ in self._edits if start < at <= stop), at)
            more = f'#include "{HEADER}"\n' if self._file in self.converted else ""
            self._edit(at, at, f"\n{includes}{more}{definition}")

    def _find_place(self) -> int:
        """Return the end of the last include that no condition is around."""
        depth = place = 0
        for match in re.finditer(r"(?m)^[ \t]*#[ \t]*(if|endif|include)[^\n]*", self._text):
            depth += {"if": 1, "endif": -1}.get(match[1], 0)
            place = match.end() if match[1] == "include" and not depth else place
        return place
