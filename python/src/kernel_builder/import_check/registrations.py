"""Finds what a kernel registers outside of its own Torch namespace while it is imported.

Packages that the kernel imports may register anything, so the file that registers counts.
"""

import contextlib
import functools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from kernel_builder.import_check.advice import Place
from kernel_builder.messages.problem import Problem

# The namespace of a build ends with a digest of its content. Kernels that this one depends on have
# such namespaces, and their files may have the same names as this kernel's.
OF_A_BUILD = re.compile(r"_\w+_[0-9a-f]{16}")
REGISTERED_AT = re.compile(r"registered at (?P<file>[^\n]+):(?P<line>\d+)$", re.MULTILINE)


def watch_registrations(
    place: Place, namespace: str, sources: Sequence[str]
) -> "Callable[[], list[Problem]]":
    """Watch registrations from now on; return a function that returns the problems with them.

    `namespace` is that of the build, `sources` are names of its C++ files.
    """
    import torch

    # Torch calls some of its own functions through these modules.
    passed_over = (str(Path(torch.__file__).parent), functools.__file__, contextlib.__file__)
    found: list[Problem] = []
    make = torch.library.Library.__init__

    # Every function of `torch.library` that registers something makes a Library for it.
    def make_and_watch(self: Any, ns: str, *arguments: Any, **keywords: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.startswith(passed_over):
            frame = frame.f_back
        file = frame.f_code.co_filename
        if ns != namespace and Path(file).is_relative_to(place.folder):
            at = place.show_frames([(file, frame.f_lineno, "")])
            use = "add_op_namespace_prefix(…), or torch.library.Library(ops.name, …)"
            found.append(_make_problem(at, ns, use))
        make(self, ns, *arguments, **keywords)

    torch.library.Library.__init__ = make_and_watch
    before = list_names()

    def list_problems() -> "list[Problem]":
        use = "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, …), see registration.h"
        spaces = {name: name.partition("::")[0] for name in sorted(list_names() - before)}
        in_cpp = (
            _make_problem(at, space, use)
            for name, space in spaces.items()
            if not OF_A_BUILD.fullmatch(space)
            for at in _find_in(torch._C._dispatch_dump(name), sources)
        )
        return list(dict.fromkeys([*found, *in_cpp]))

    return list_problems


def list_names() -> "set[str]":
    """Return the names of all operators in Torch."""
    import torch

    return {schema.name for schema in torch._C._jit_get_all_schemas()}


def _find_in(dump: str, sources: Sequence[str]) -> "Iterator[str]":
    """Yield file and line of an operator's first registration if it is in one of the sources."""
    if (place := REGISTERED_AT.search(dump)) and place["file"] in sources:
        yield f"{place['file']}:{place['line']}"


def _make_problem(at: str, namespace: str, use: str) -> Problem:
    want = "the namespace of this build; every other build would register there, too"
    return Problem(at, f"a registration in the namespace {namespace!r}", want, f"write {use}")
