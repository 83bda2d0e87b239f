"""Imports compiled extensions into a Python with Torch, each in a process of its own, and records what they define."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
import os
import resource
import signal
import sys
from pathlib import Path

import torch  # noqa: F401 (extensions need its libraries)

SECONDS, BYTES, MAX_RECORD = 60, 16 * 2**30, 2**26


def import_extension(library: str, modules: list[str]) -> None:
    """Import a library's modules: pybind11 adds the functions that they define to the record."""
    error = None
    for name in modules:
        try:
            loader = importlib.machinery.ExtensionFileLoader(name, library)
            spec = importlib.util.spec_from_file_location(name, library, loader=loader)
            assert spec
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
        except Exception as caught:
            error = error or f"{type(caught).__name__}: {caught}"
    if error:
        write_error(Path(os.environ["KERNEL_BUILDER_RECORD"]), error)


def write_error(record: Path, message: str) -> None:
    """Add why an extension was not imported to its record."""
    with record.open("a", encoding="utf-8") as file:
        file.write(json.dumps({"kind": "error", "message": message[:400]}) + "\n")


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
            write_error(Path(record), f"it was ended by {name}")


if __name__ == "__main__":
    main(json.loads(sys.stdin.read()))
