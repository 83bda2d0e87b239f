"""Finds names in Triton's tuners that their functions do not have.

Triton before 3.9 leaves out a key that is no argument, so that one choice serves all sizes, and
fails at the launch for other names.
"""

import sys
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from kernel_builder.import_check.names import list_modules
from kernel_builder.import_check.problems import Place
from kernel_builder.messages.problem import Problem

UNKNOWN = "triton.autotune gets names that are no arguments of the function"
# Attributes of a tuner with names of arguments. Versions of Triton may lack some.
LISTS = ("keys", "restore_value", "reset_to_zero")


def check_tuners(package: str, place: Place) -> "tuple[str, list[Problem]]":
    """Return a problem for each name that a tuner of the kernel gets in vain."""
    kind = getattr(sys.modules.get("triton.runtime.autotuner"), "Autotuner", None)
    modules = list_modules(package, place) if kind else ()
    values = [value for module, _ in modules for value in vars(module).values()]
    tuners = {id(value): value for value in values if isinstance(value, kind or ())}
    found = (_describe(*each, place) for tuner in tuners.values() for each in _list_unknown(tuner))
    return UNKNOWN, [*dict.fromkeys(found)]


def _list_unknown(tuner: Any) -> "Iterator[tuple[Any, str]]":
    names = {name for each in LISTS for name in getattr(tuner, each, None) or ()}
    names.update(name for config in tuner.configs for name in config.kwargs)
    for name in sorted(names.difference(tuner.arg_names)):
        yield tuner, name


def _describe(tuner: Any, name: str, place: Place) -> Problem:
    code = tuner.base_fn.__code__
    near = get_close_matches(name, tuner.arg_names, 1)
    fix = f"did you mean {near[0]!r}?" if near else "correct the name, or delete it"
    at = place.show_frames([(code.co_filename, _find_line(code, name), "", "")])
    want = f"arguments of {code.co_name}: {', '.join(tuner.arg_names)}"
    return Problem(at, f"the name {name!r}", want, fix)


def _find_line(code: Any, name: str) -> int:
    """Return the line of a function's decorators with the quoted name, or their first one."""
    first = int(code.co_firstlineno)
    lines = Path(code.co_filename).read_text(encoding="utf-8").splitlines()[first - 1 :]
    texts = (f'"{name}"', f"'{name}'")
    for number, line in enumerate(lines, first):
        if any(text in line for text in texts):
            return number
        if line.lstrip().startswith("def "):
            break
    return first
