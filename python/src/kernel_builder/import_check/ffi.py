"""Finds names that a kernel registers in TVM FFI for the whole process, and its functions."""

import re
from collections.abc import Collection
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from kernel_builder.import_check.operators import OF_A_BUILD
from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

SHARED = "names in TVM FFI would be shared with other builds"
WANT = "a name with the extension's name in it: TVM FFI ends a process that registers a name twice"
IN_CPP = "export the function by TVM_FFI_DLL_EXPORT_TYPED_FUNC, or put a string of the macro\n"
IN_PYTHON = "TVM_FFI_EXTENSION_NAME into the name; in Python, add_op_namespace_prefix({!r})"
FUNCTION = re.compile(rb"__tvm_ffi_(\w{1,250})\0")


def list_names() -> "set[str]":
    """Return the global functions and types that TVM FFI has; none if it is not installed."""
    if not find_spec("tvm_ffi"):
        return set()
    registry = import_module("tvm_ffi.registry")
    functions = {f"global function {name}" for name in registry.list_global_func_names()}
    return functions | {f"type {name}" for name in registry.get_registered_type_keys()}


def list_shared(before: "set[str]", namespace: str) -> "list[str]":
    """Return the names since `before` that every build of a kernel would register."""
    added = list_names() - before
    return sorted(name for name in added if namespace not in name and not OF_A_BUILD.search(name))


def describe(names: Collection[str], place: Place) -> "list[Problem]":
    """Return a problem for each name, with the lines of Python that have it."""
    problems = []
    for each in sorted(names):
        kind, _, name = each.rpartition(" ")
        lines = [
            (str(file), number, "", "")
            for file in sorted(place.folder.rglob("*.py"))
            for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1)
            if f'"{name}"' in line or f"'{name}'" in line
        ]
        found = f"the {kind} {name!r}"
        fix = IN_CPP + IN_PYTHON.format(name.rpartition(".")[2])
        problems.append(Problem(place.show_frames(lines), found, WANT, fix))
    return problems


def list_functions(place: Place, ops: Any) -> "list[str]":
    """Return the functions of a library for TVM FFI."""
    found = (
        name.decode()
        for file in sorted(place.folder.glob("*.so"))
        for name in FUNCTION.findall(file.read_bytes())
    )
    return [name for name in dict.fromkeys(found) if name[0] != "_" and hasattr(ops, name)]
