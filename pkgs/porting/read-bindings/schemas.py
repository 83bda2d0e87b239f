"""Schemas of Torch for functions, from what the compiler says about their types."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Sequence
from string import ascii_lowercase
from typing import Any

# Words of schemas and of Python that no parameter can have as its name.
RESERVED = frozenset(keyword.kwlist) | {"self"}
# Types that only a module of Python has.
_PYTHON = re.compile(r"\bpybind11::|\b_object\b|\bPyObject\b|\bstd::function<")


def make_parameter_type(type_: str) -> str | None:
    """Return the type that a parameter has in a schema, None without one."""
    same = re.fullmatch(r"\((int|float|bool)((?:, \1)*)\)", type_)
    if same:
        return f"{same[1]}[{same[2].count(',') + 1}]"
    if "<" in type_ or re.search(r"(?<!Dict)\(", type_):
        return None
    # Schemas have no type of a list whose members may be lists of a fixed length.
    return re.sub(r"\[\d+\](?=.)", "[]", type_)


def make_result_type(type_: str) -> str | None:
    """Return the type that a result has in a schema, None without one."""
    inner = type_[1:-1] if re.fullmatch(r"\(.*\)", type_) else type_
    if "<" in type_ or re.search(r"(?<!Dict)\(", inner):
        return None
    return re.sub(r"\[\d+\]", "[]", type_)


def make_default(text: str, type_: str) -> str | None:
    """Return a default as a schema has it, from the expression of Python for it; None if a schema cannot have it."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return None
    kind = type_.rstrip("?")
    if value is None:
        return "None" if type_.endswith("?") else None
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"' if kind == "str" else None
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(str, value))}]" if "[" in kind else None
    if isinstance(value, bool):
        return str(value) if kind in ("bool", "Scalar") else None
    if isinstance(value, int):
        return str(float(value) if kind == "float" else value) if kind in ("int", "float", "Scalar", "SymInt") else None
    return repr(value) if isinstance(value, float) and kind in ("float", "Scalar") else None


def mark(type_: str, letter: str) -> str:
    """Return the type of an argument that is written."""
    return type_.replace("Tensor", f"Tensor({letter}!)")


def name_parameters(names: Sequence[str]) -> list[str]:
    """Return names that a schema can have, each once."""
    used: list[str] = []
    for name in names:
        name = f"{name}_" if name in RESERVED else name
        while name in used:
            name += "_"
        used.append(name)
    return used


def describe_parameters(record: dict[str, Any], found: Sequence[tuple[str, bool]] | None) -> list[dict[str, Any]]:
    """Return the parameters of a function. `found` are the names that its declaration has."""
    given = record["given"] if len(record["given"]) == len(record["parameters"]) else []
    names = [each["name"] for each in given] if all(each["name"] for each in given) else []
    names = names or [name for name, _ in found or ()]
    names = names or [f"arg{number}" for number in range(len(record["parameters"]))]
    described = []
    for number, (name, each) in enumerate(zip(name_parameters(names), record["parameters"])):
        type_ = make_parameter_type(each["type"])
        text = given[number].get("default") if given else None
        is_const = each["const"] or (found is not None and found[number][1])
        default = make_default(text, type_) if text and type_ else None
        described.append({
            "name": name, "type": type_, "cpp": each["cpp"], "default": default, "given": bool(text),
            "written": bool(type_) and "Tensor" in str(type_) and not is_const,
        })  # fmt: skip
    # A schema has no parameter without a default after one with it.
    last = max((at for at in range(record["positional"]) if not described[at]["default"]), default=-1)
    for each in described[: last + 1]:
        each["default"] = None
    return described


def describe_function(record: dict[str, Any], found: Sequence[tuple[str, bool]] | None) -> dict[str, Any]:
    """Return what is known of a function that pybind11 defines: `schema` lacks the name of the operator."""
    parameters = describe_parameters(record, found)
    result = make_result_type(record["result"])
    unknown = [each["cpp"] for each in parameters if not each["type"]]
    unknown += [] if result else [record["result_cpp"]]
    written = [each for each in parameters if each.pop("written")]
    letters = {each["name"]: letter for each, letter in zip(written, ascii_lowercase)}

    def write(marked: bool) -> str | None:
        if unknown:
            return None
        words = []
        for number, each in enumerate(parameters):
            words += ["*"] if number == record["positional"] else []
            type_ = mark(each["type"], letters[each["name"]]) if marked and each["name"] in letters else each["type"]
            words.append(f"{type_} {each['name']}" + (f"={each['default']}" if each["default"] else ""))
        return f"({', '.join(words)}) -> {result}"

    lost = [each["name"] for each in parameters if each["given"] and not each["default"]]
    return {
        "kind": "object" if any(map(_PYTHON.search, unknown)) else "function",
        "schema": write(record["result"] == "()"), "marked": write(True), "parameters": parameters,
        "result_cpp": record["result_cpp"], "callable": record["callable"], "unknown": unknown, "lost": lost,
    }  # fmt: skip
