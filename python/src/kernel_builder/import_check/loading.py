"""Loads a variant with the public client, in a child process, and watches what it registers."""

import contextlib
import ctypes
import functools
import gc
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from kernel_builder.import_check import stand_ins
from kernel_builder.import_check.operators import list_calls, read_tree
from kernel_builder.import_check.problems import Place, explain_error
from kernel_builder.messages.problem import Problem

# The namespace of a build ends with a digest of its content. Kernels that this one depends on have
# such namespaces, and their files may have the same names as this kernel's.
OF_A_BUILD = re.compile(r"_\w+_[0-9a-f]{16}::")
REGISTERED_AT = re.compile(r"registered at ([^\n]+):(\d+)$", re.MULTILINE)
IN_PYTHON = "add_op_namespace_prefix(…), or torch.library.Library(ops.name, …)"
IN_CPP = "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, …), see registration.h"


def load_variant(
    place: Place,
    backend: str,
    device: "Mapping[str, Any] | None",
    packages: Sequence[str],
    sources: Sequence[str],
    key: "str | None",
) -> "dict[str, Any]":
    """Import the variant; return its operators, or the problems with the import.

    `device` describes the GPU to stand in for; `packages` may have driver stubs in `lib/stubs`;
    `sources` are the names of the C++ files; `key` is Torch's dispatch key for the backend. Besides
    the schemas, the answer has the called names that are `missing`, and the operators of C++ that
    are `unimplemented` for the key, each with its place.
    """
    # The collector would free little and take a third of the time of an import.
    gc.disable()
    os.environ["HF_HUB_OFFLINE"] = "1"
    os.environ["HF_HOME"] = os.environ["HOME"] = str(Path.cwd())

    import torch
    from kernels import get_local_kernel  # reads the variables above when it is imported

    # The loader finds a library by its name if the process has already loaded it.
    for package in packages:
        for stub in Path(package).glob("lib/stubs/*.so.*"):
            ctypes.CDLL(str(stub))
    if device is not None:
        stand_ins.install(device)
    namespace = json.loads((place.folder / "metadata.json").read_text())["id"]
    list_foreign = watch_registrations(place, namespace, sources)
    raised = []
    try:
        kernel = get_local_kernel(place.folder, backend=backend)
        # A kernel may import it later, or never.
        ops = import_module(f"{kernel.__name__}._ops").ops
    except BaseException as error:
        raised = [explain_error(error, place)]
    foreign = list_foreign()
    if problems := [*foreign, *raised]:
        return {"is_foreign": bool(foreign), "problems": [each.as_data() for each in problems]}
    schemas = (str(schema).partition("::") for schema in torch._C._jit_get_all_schemas())
    trees = filter(None, map(read_tree, place.folder.rglob("*.py")))
    called = {name for tree in trees for name in list_calls(tree)}
    return {
        "operators": sorted(own for space, _, own in schemas if space == namespace),
        "missing": sorted(name for name in called if not hasattr(ops, name)),
        "unimplemented": sorted(list_unimplemented(namespace, key, sources)) if key else [],
    }


def list_unimplemented(
    namespace: str, key: str, sources: Sequence[str]
) -> "Iterator[tuple[str, str]]":
    """Yield the operators of C++ that the dispatcher cannot call for a key, each with its place."""
    import torch

    for schema in torch._C._jit_get_all_schemas():
        space, _, name = schema.name.partition("::")
        if space == namespace:
            full = f"{schema.name}.{schema.overload_name}".rstrip(".")
            at = REGISTERED_AT.search(torch._C._dispatch_dump(full))
            has = torch._C._dispatch_has_computed_kernel_for_dispatch_key(full, key)
            if at and at[1] in sources and not has:
                yield name, f"{at[1]}:{at[2]}"


def watch_registrations(
    place: Place, namespace: str, sources: Sequence[str]
) -> "Callable[[], list[Problem]]":
    """Watch registrations from now on; return a function that returns the problems with them.

    `namespace` is that of the build, `sources` are names of its C++ files. Packages that the kernel
    imports may register anything, so the file that registers counts.
    """
    import torch

    # Torch calls some of its own functions through these modules.
    passed_over = (str(Path(torch.__file__).parent), functools.__file__, contextlib.__file__)
    found: list[Problem] = []
    make = torch.library.Library.__init__

    def report(at: str, space: str, use: str) -> None:
        want = "the namespace of this build; every other build would register there, too"
        found.append(
            Problem(at, f"a registration in the namespace {space!r}", want, f"write {use}")
        )

    # Every function of `torch.library` that registers something makes a Library for it.
    def make_and_watch(self: Any, ns: str, *arguments: Any, **keywords: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.startswith(passed_over):
            frame = frame.f_back
        file = frame.f_code.co_filename
        if ns != namespace and Path(file).is_relative_to(place.folder):
            report(place.show_frames([(file, frame.f_lineno, "")]), ns, IN_PYTHON)
        make(self, ns, *arguments, **keywords)

    torch.library.Library.__init__ = make_and_watch
    before = {schema.name for schema in torch._C._jit_get_all_schemas()}

    def list_problems() -> "list[Problem]":
        for name in sorted({schema.name for schema in torch._C._jit_get_all_schemas()} - before):
            at = REGISTERED_AT.search(torch._C._dispatch_dump(name))
            if at and at[1] in sources and not OF_A_BUILD.match(name):
                report(f"{at[1]}:{at[2]}", name.partition("::")[0], IN_CPP)
        return list(dict.fromkeys(found))

    return list_problems
