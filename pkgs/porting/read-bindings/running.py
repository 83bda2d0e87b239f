"""Imports compiled extensions into a Python with Torch, each in a process of its own, and records what they define."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import re
import resource
import signal
import sys
from pathlib import Path
from types import ModuleType

import torch

SECONDS, BYTES, MAX_RECORD = 60, 16 * 2**30, 2**26
_REGISTERED = re.compile(r"^(\w+): registered at (.*?):(\d+) ::", re.MULTILINE)
_DEFINED = re.compile(r"^debug: registered at (.*?):(\d+)", re.MULTILINE)


def list_operators() -> set[str]:
    """Return the names of all operators."""
    return set(torch._C._dispatch_get_all_op_names())


def describe_operator(name: str) -> dict[str, object]:
    """Return what Torch's dispatcher knows of an operator."""
    text = torch._C._dispatch_dump(name)
    schema = re.search(r"^schema: (.*)$", text, re.MULTILINE)
    defined = _DEFINED.search(text)
    return {
        "kind": "operator",
        "name": name,
        "schema": schema[1] if schema and "(" in schema[1] else None,
        "place": [defined[1], int(defined[2])] if defined else None,
        "keys": {key: [file, int(line)] for key, file, line in _REGISTERED.findall(text)},
    }


def describe_module(module: ModuleType, owner: str) -> list[dict[str, object]]:
    """Return the classes and constants of a module and of the modules in it."""
    found: list[dict[str, object]] = []
    for name, value in vars(module).items():
        if isinstance(value, ModuleType) and value.__name__.startswith(f"{module.__name__}."):
            found += describe_module(value, value.__name__)
        elif isinstance(value, type):
            methods = [each for each in vars(value) if not each.startswith("_") or each == "__init__"]
            kind = "enum" if hasattr(value, "__members__") else "class"
            found.append({"kind": kind, "owner": owner, "name": name, "methods": methods})
        elif isinstance(value, (bool, int, float, str)) and (name == "__version__" or not name.startswith("__")):
            found.append({"kind": "constant", "owner": owner, "name": name, "default": repr(value)})
    return found


def import_extension(library: str, modules: list[str]) -> None:
    """Import a library's modules, and add what they define to the record."""
    before = list_operators()
    lines: list[dict[str, object]] = []
    error = None
    for name in modules:
        try:
            loader = importlib.machinery.ExtensionFileLoader(name, library)
            spec = importlib.util.spec_from_file_location(name, library, loader=loader)
            assert spec
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
            lines += describe_module(module, name)
        except Exception as caught:
            error = error or f"{type(caught).__name__}: {caught}"
    try:
        torch.ops.load_library(library)
    except OSError as caught:
        error = error or str(caught)
    lines += [describe_operator(name) for name in sorted(list_operators() - before)]
    if error:
        lines.append({"kind": "error", "message": error[:400]})
    with Path(os.environ["KERNEL_BUILDER_RECORD"]).open("a", encoding="utf-8") as file:
        file.write("".join(f"{json.dumps(line)}\n" for line in lines))


def main(extensions: list[dict[str, object]]) -> None:
    """Import each extension in a child. An extension that ends its process leaves its signal."""
    for each in extensions:
        record = str(each["record"])
        child = os.fork()
        if not child:
            os.environ["KERNEL_BUILDER_RECORD"] = record
            signal.alarm(SECONDS)
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            resource.setrlimit(resource.RLIMIT_FSIZE, (MAX_RECORD, MAX_RECORD))
            sys.stdout = sys.stderr
            try:
                import_extension(str(each["library"]), list(each["modules"]))  # type: ignore[call-overload]
            finally:
                os._exit(0)
        _, status = os.waitpid(child, 0)
        if os.WIFSIGNALED(status):
            name = signal.Signals(os.WTERMSIG(status)).name
            with Path(record).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"kind": "error", "message": f"it was ended by {name}"}) + "\n")


if __name__ == "__main__":
    main(json.loads(sys.stdin.read()))
