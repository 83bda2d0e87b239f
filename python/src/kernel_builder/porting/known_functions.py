"""Calls functions and methods of Python by their names, with values that are known."""

import math
import posixpath
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any, Final

from kernel_builder.porting.project import Project

UNKNOWN: Final = type("Unknown", (), {"__repr__": lambda _self: "UNKNOWN"})()
_STRINGS: Final = {"join", "split", "replace", "strip", "lower", "upper", "startswith", "endswith"}
# Functions and methods of paths. Some give a path as it is.
_PATHS: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: getattr(posixpath, name) for name in ("dirname", "basename", "normpath")},
    **dict.fromkeys(("join", "joinpath", "Path", "str", "abspath", "realpath"), posixpath.join),
    **dict.fromkeys(("resolve", "absolute", "as_posix"), posixpath.join),
    "relpath": lambda path, *_start: posixpath.normpath(path),
    "splitext": lambda path: [*posixpath.splitext(path)],
}
_LISTS: Final[Mapping[str, Callable[..., Any]]] = {
    **dict.fromkeys(("list", "tuple"), lambda items=(), *_more: [*items]),
    "sorted": lambda items: sorted(each for each in items if isinstance(each, str)),
    "set": lambda items: list(dict.fromkeys(items)),
    "product": lambda *lists: [[*items] for items in product(*lists)],
}


def call_known(
    project: Project, name: str, place: Any, args: Sequence[Any], pay: Callable[[int], None]
) -> Any:
    """Return what a function returns, or a method of `place`: UNKNOWN if that is unknown.

    `pay` gets the steps that the call costs, and raises TimeoutError if they are too many.
    """
    first = args[0] if args else UNKNOWN
    texts = [place, *args, *(first if isinstance(first, list) else ())]
    sizes = [len(each) for each in texts if isinstance(each, str)]
    # Before anything is made, since nobody has the memory for a text of any size.
    pay((math.prod(sizes) if name == "replace" else max(sizes, default=0) * len(sizes)) // 100)
    if isinstance(place, dict) and name == "update" and isinstance(first, dict):
        return place.update(first)
    if isinstance(place, dict) and name == "get" and isinstance(first, str):
        return place.get(*args[:2])
    if isinstance(place, str) and name in _STRINGS:
        return getattr(place, name)(*args)
    if isinstance(place, str):
        args = [place, *args]
    is_text = bool(args) and all(isinstance(each, str) for each in args)
    if name in _LISTS and all(isinstance(each, list) for each in args):
        pay(math.prod(map(len, args)) // 20)
        return _LISTS[name](*args)
    if name in ("exists", "isfile", "isdir", "is_file", "is_dir"):
        # Nothing exists outside of the project.
        path = posixpath.normpath(args[0]) if is_text else ""
        return path in project.files or path in project.folders
    if name in ("glob", "iglob", "rglob") and is_text:
        pay(len(project.files) // 50)
        args = [*args[:-1], "**", args[-1]] if name == "rglob" else args
        return project.match(posixpath.join(*args))
    return _PATHS[name](*args) if name in _PATHS and is_text else UNKNOWN
