"""Compares functions of Torch's stable ABI with their schemas.

`TORCH_BOX` hides the type of a function from Torch, which registers an address and a name. The link
lists the address of each boxed function under the name that the compiler gives it, and that name
has the function's type. A library, `watch.c`, lets this module see what is registered.
"""

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel_builder.messages.problem import Problem

MISMATCH = "functions and schemas of operators differ"
# Texts are addresses, too: Torch keeps them, and Python would free its copies.
ADDRESS, NUMBER = ctypes.c_void_p, ctypes.c_uint64
LINE = ctypes.c_uint32
LIBRARY = ctypes.POINTER(ADDRESS)
# The functions of `watch.c`, with the types of their parameters.
OPENING = {
    "aoti_torch_library_init_def": (ADDRESS, ADDRESS, LINE, LIBRARY),
    "aoti_torch_library_init_fragment": (ADDRESS, ADDRESS, LINE, LIBRARY),
    "aoti_torch_library_init_impl": (ADDRESS, ADDRESS, ADDRESS, LINE, LIBRARY),
}
REGISTERING = {
    "aoti_torch_library_impl": (ADDRESS, ADDRESS, ADDRESS),
    "torch_library_impl": (ADDRESS, ADDRESS, ADDRESS, NUMBER),
}
LISTED = re.compile(r"([0-9a-f]+) \w torch::stable::detail::boxer<(.*)>::boxed_fn\([^()]*\)")
WHOLE = (
    *("long", "long long", "unsigned long", "unsigned long long", "int", "unsigned int"),
    *("short", "unsigned short", "signed char", "unsigned char"),
)
# Types of schemas by the C++ type that Torch converts them to.
TYPES = {
    "double": "float",
    "bool": "bool",
    "torch::stable::Tensor": "Tensor",
    "torch::stable::Device": "Device",
    "torch::stable::Generator": "Generator",
    "c10::ScalarType": "ScalarType",
    "c10::Layout": "Layout",
    "c10::MemoryFormat": "MemoryFormat",
    # Torch reads the half of a number of 8 bytes.
    "float": "float32",
    **dict.fromkeys(WHOLE, "int"),
}
# Torch passes these as whole numbers, and schemas may say so.
NUMBERED = {"ScalarType", "Layout", "MemoryFormat"}
CPP_NAMES = {"int": "int64_t", "float": "double", "str": "std::string"}


@dataclass(frozen=True)
class Registration:
    """A function that C++ registers in a namespace, at a line, and its address in its library."""

    space: str
    name: str
    at: str
    address: int


def watch_boxed(folder: Path) -> "list[Registration]":
    """Return a list that gets each registration of the stable ABI from now on.

    Torch has to be loaded. Extensions that are loaded later find the functions of `watch.so` first.
    """
    watch = ctypes.CDLL(str(folder / "watch.so"), mode=ctypes.RTLD_GLOBAL)
    torch = ctypes.CDLL("libtorch_cpu.so")
    found: list[Registration] = []
    places: dict[int, tuple[str, str]] = {}

    def opened(*arguments: Any) -> None:
        space, *_, file, line, library = arguments
        places[library[0] or 0] = (_read(space), f"{_read(file)}:{line}")

    def registered(library: int, name: int, function: int, *_: Any) -> None:
        space, at = places.get(library or 0, ("", ""))
        found.append(Registration(space, _read(name), at, _find_offset(function)))

    for note, functions in ((opened, OPENING), (registered, REGISTERING)):
        for name, types in functions.items():
            # Older versions of Torch lack some of them, and extensions for those do not call them.
            if original := getattr(torch, name, None):
                kind = ctypes.CFUNCTYPE(ctypes.c_int32, *types)
                checked = kind(_forward(ctypes.cast(original, kind), note))
                place = ADDRESS.in_dll(watch, f"checked_{name}")
                place.value = ctypes.cast(checked, ADDRESS).value
                KEPT.append(checked)
    return found


# Functions that C++ calls, which Python must not free.
KEPT: "list[Any]" = []


def _forward(original: "Callable[..., int]", note: "Callable[..., None]") -> "Callable[..., int]":
    def forward(*arguments: Any) -> int:
        result = original(*arguments)
        note(*arguments)
        return result

    return forward


class _Place(ctypes.Structure):
    """The answer of the loader about an address: `Dl_info` of dlfcn.h."""

    _fields_ = tuple((name, ADDRESS) for name in ("file", "base", "symbol", "address"))


def _read(text: int) -> str:
    return ctypes.string_at(text).decode(errors="replace")


def _find_offset(function: "int | None") -> int:
    """Return the address of a function in the file that it is in."""
    place = _Place()
    ctypes.CDLL(None).dladdr(ADDRESS(function), ctypes.byref(place))
    return (function or 0) - (place.base or 0)


def read_functions(folder: "str | None") -> "dict[int, list[str]]":
    """Return the types and names of the boxed functions at each address of the extension.

    A compiler may make one function of several with the same code.
    """
    file = Path(folder or "") / "functions"
    found: dict[int, list[str]] = {}
    for line in file.read_text().splitlines() if folder and file.exists() else ():
        if match := LISTED.fullmatch(line):
            found.setdefault(int(match[1], 16), []).append(match[2])
    return found


def check_boxed(
    registered: "list[Registration]", folder: "str | None", schemas: "dict[str, Any]"
) -> "list[Problem]":
    """Return a problem for each boxed function that does not have the type of its schema.

    `folder` is the output of the link, and `schemas` are those of the build's operators, by full
    name. A function that was boxed by hand has no type to compare.
    """
    problems, functions = [], read_functions(folder)
    for each in registered:
        schema = schemas.get(f"{each.space}::{each.name}")
        listed = [tuple(_split(text)) for text in functions.get(each.address, ())]
        if schema is None or not listed:
            continue
        wanted = [_type_of(it) for it in schema.arguments], [_type_of(it) for it in schema.returns]
        if any(_has_type(kind, *wanted) for kind, _ in listed):
            continue
        (kind, name), *_ = listed
        result, taken = read_function(kind)
        shown = f"({', '.join(map(write_type, taken))}) -> {write_type(result)}"
        found = f"{_name_function(name)} has the type {shown}"
        text = str(schema).partition("::")[2]
        want = f"the schema {text}, that is {_show_cpp(*wanted)}"
        fix = "let the function and the schema agree in number, order and types of arguments"
        problems.append(Problem(each.at, found, want, f"{fix}, and in results"))
    return [*dict.fromkeys(problems)]


def _split(text: str) -> "Iterator[str]":
    """Yield the parts between the commas that no bracket encloses."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in "<([{") - (letter in ">)]}")
        if letter == "," and not depth:
            yield text[start:at].strip()
            start = at + 1
    if text[start:].strip():
        yield text[start:].strip()


def read_function(text: str) -> "tuple[str, list[str]]":
    """Return the result and the parameters of a function's type: `long (long, double)`."""
    depth, at = 0, len(text)
    while at:
        at -= 1
        depth += (text[at] == ")") - (text[at] == "(")
        if text[at] == "(" and not depth:
            break
    inner = text[at + 1 : text.rindex(")")]
    return text[:at].strip(), [it for it in _split(inner) if it != "void"]


def read_type(text: str) -> str:
    """Return the schema's type for one of C++, or an empty string for one that is not known."""
    text = re.sub(r"\bconst\b|&|\bvolatile\b", "", text).strip()
    match = re.fullmatch(r"([\w:]+)<(.*)>", text, re.DOTALL)
    if not match:
        return TYPES.get(text, "")
    outer, inner = match[1].rpartition("::")[2], read_type(next(_split(match[2]), ""))
    if outer in ("basic_string", "basic_string_view"):
        return "str"
    ending = {"optional": "?", "vector": "[]", "HeaderOnlyArrayRef": "[]"}.get(outer, "")
    return f"{inner}{ending}" if inner and ending else ""


def read_results(text: str) -> "list[str]":
    """Return the schema's types for the result of a function."""
    if text == "void":
        return []
    match = re.fullmatch(r"std::(?:\w+::)?tuple<(.*)>", text, re.DOTALL)
    return [*map(read_type, _split(match[1]))] if match else [read_type(text)]


def _type_of(argument: Any) -> str:
    """Return the type of an argument or a result, as schemas write it."""
    text = str(getattr(argument, "real_type", argument.type))
    while match := re.search(r"(List|Optional)\[([^\[\]]*(?:\[\])*[^\[\]]*)\]", text):
        ending = {"List": "[]", "Optional": "?"}[match[1]]
        text = f"{text[: match.start()]}{match[2]}{ending}{text[match.end() :]}"
    return text


def _has_type(kind: str, wanted: "list[str]", results: "list[str]") -> bool:
    result, taken = read_function(kind)
    return _fits([*map(read_type, taken)], wanted) and _fits(read_results(result), results)


def _fits(has: "list[str]", wants: "list[str]") -> bool:
    """Return whether types agree; a type that is not known agrees with any."""
    same = (not one or _normalize(one) == _normalize(other) for one, other in zip(has, wants))
    return len(has) == len(wants) and all(same)


def _normalize(text: str) -> str:
    words = re.sub(r"\w+", lambda match: "int" if match[0] in NUMBERED else match[0], text)
    return re.sub(r"\bSymInt\b", "int", words)


def _show_cpp(taken: "list[str]", results: "list[str]") -> str:
    """Return the type of the function that a schema wants."""
    shown = ", ".join(map(_name_cpp, results))
    result = shown if len(results) == 1 else f"std::tuple<{shown}>" if results else "void"
    return f"({', '.join(map(_name_cpp, taken))}) -> {result}"


def _name_cpp(text: str) -> str:
    for ending, outer in (("[]", "std::vector"), ("?", "std::optional")):
        if text.endswith(ending):
            return f"{outer}<{_name_cpp(text[: -len(ending)])}>"
    return CPP_NAMES.get(text, text)


def write_type(text: str) -> str:
    """Return a type of C++ as people write it, without references and allocators."""
    text = re.sub(r"\bconst\b|&", "", text).strip()
    match = re.fullmatch(r"([\w:]+)<(.*)>", text, re.DOTALL)
    if not match:
        return {"long": "int64_t"}.get(text, re.sub(r"^(torch::stable|c10)::", "", text))
    outer, inner = match[1].rpartition("::")[2], [*map(write_type, _split(match[2]))]
    if outer.startswith("basic_"):
        return f"std::{outer[len('basic_') :]}"
    shown = inner[:1] if outer == "vector" else inner
    return f"{write_type(match[1])}<{', '.join(shown)}>"


def _name_function(text: str) -> str:
    """Return the name of a function in a template's argument: `&(answer(long, double))`."""
    text = text.replace("(anonymous namespace)::", "").lstrip("&(")
    return text.partition("(")[0].rpartition(" ")[2].rstrip(")")
