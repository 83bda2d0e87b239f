"""Finds what a kernel registers in a namespace of Torch that is not its own, while it is imported.

Packages that the kernel imports may register what they like, so a registration counts by the file that makes it.
"""

import contextlib
import functools
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from checking.problem import Problem

from import_check.advice import Place

# The namespace of a build ends with the uid of its content. Kernels that this one depends on have such names, and
# their files may have the same names as this kernel's.
OF_A_BUILD = re.compile(r"_\w+_[0-9a-f]{16}")
REGISTERED_AT = re.compile(r"registered at (?P<file>[^\n]+):(?P<line>\d+)$", re.MULTILINE)


def watch(place: Place, namespace: str, sources: "Sequence[str]") -> "Callable[[], list[Problem]]":
    """Watch registrations from now on; return a function that returns the problems with them.

    `namespace` is that of the build, `sources` are names of its C++ files.
    """
    import torch

    # Torch calls some of its functions by way of these.
    passed_over = (str(Path(torch.__file__).parent), functools.__file__, contextlib.__file__)
    found: list[Problem] = []
    make = torch.library.Library.__init__

    # Every function of `torch.library` that registers something makes a library for it.
    def make_and_watch(self: Any, ns: str, *arguments: Any, **keywords: Any) -> None:
        frame = sys._getframe(1)
        while frame.f_back and frame.f_code.co_filename.startswith(passed_over):
            frame = frame.f_back
        if ns != namespace and Path(frame.f_code.co_filename).is_relative_to(place.folder):
            at = place.show_frames([(frame.f_code.co_filename, frame.f_lineno, "")])
            found.append(_describe(at, ns, "add_op_namespace_prefix(…), or torch.library.Library(ops.name, …)"))
        make(self, ns, *arguments, **keywords)

    torch.library.Library.__init__ = make_and_watch
    before = list_names()

    def list_problems() -> "list[Problem]":
        spaces = {name: name.partition("::")[0] for name in list_names() - before}
        foreign = {name: space for name, space in spaces.items() if not OF_A_BUILD.fullmatch(space)}
        in_cpp = (
            _describe(at, foreign[name], "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, …), see registration.h")
            for name in sorted(foreign)
            for at in _find_in(torch._C._dispatch_dump(name), sources)
        )
        return list(dict.fromkeys([*found, *in_cpp]))

    return list_problems


def list_names() -> "set[str]":
    """Return the names of all operators that Torch has."""
    import torch

    return {schema.name for schema in torch._C._jit_get_all_schemas()}


def _find_in(dump: str, sources: "Sequence[str]") -> "Iterator[str]":
    """Yield file and line of the first registration of an operator, if the file is one of these."""
    if (place := REGISTERED_AT.search(dump)) and place["file"] in sources:
        yield f"{place['file']}:{place['line']}"


def _describe(at: str, namespace: str, instead: str) -> Problem:
    """Return the problem that a registration in a foreign namespace is."""
    want = "the namespace of this build; every other build would register there, too"
    return Problem(at, f"a registration in the namespace {namespace!r}", want, f"write {instead}")
