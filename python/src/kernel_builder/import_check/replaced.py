"""Finds functions, classes and modules of others that the import of a kernel replaces."""

import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from kernel_builder.import_check.problems import Place

MISSING = object()


class Snapshot:
    """The attributes of all modules and classes that are loaded now."""

    def __init__(self) -> None:
        self.modules = {**sys.modules}
        self.holders: dict[int, tuple[str, Any, dict[str, Any]]] = {}
        for name, module in self.modules.items():
            if not isinstance(getattr(module, "__dict__", None), dict):
                continue
            values = dict(vars(module))
            self.holders.setdefault(id(module), (name, module, values))
            for value in values.values():
                # Some objects say that they are classes, and warn when they are asked.
                if issubclass(type(value), type) and id(value) not in self.holders:
                    label = f"{value.__module__}.{value.__qualname__}"
                    self.holders[id(value)] = (label, value, dict(vars(value)))

    def compare(self, place: Place, package: str) -> "Iterator[tuple[str, Any, str]]":
        """Yield the name, the holder and the attribute of each replacement.

        `package` is the name of the kernel's package.
        """
        for label, holder, old in [*self.holders.values()]:
            new = vars(holder)
            for key in [*new, *(key for key in old if key not in new)]:
                before, after = old.get(key, MISSING), new.get(key, MISSING)
                if before is after or (before is MISSING and not _is_own(after, place, package)):
                    continue
                # Torch replaces functions of its own, such as those that its compiler wraps.
                if _find_package(after) == label.partition(".")[0]:
                    continue
                if before is MISSING or callable(before) or isinstance(before, DESCRIPTORS):
                    yield f"{label}.{key}", holder, key
        for name, module in [*sys.modules.items()]:
            hides = name.partition(".")[0] != package and _is_own(module, place, package)
            if module is not self.modules.get(name, module) or hides:
                yield f"sys.modules[{name!r}]", sys.modules, name


DESCRIPTORS = (staticmethod, classmethod, property)


def read(holder: Any, key: str) -> Any:
    """Return the attribute of a module or class, or the entry of a dictionary."""
    return (holder if isinstance(holder, dict) else vars(holder)).get(key, MISSING)


def _find_package(value: Any) -> str:
    """Return the package that the code of a function or class is in, whatever name it goes by."""
    names = getattr(value, "__globals__", None) or {}
    return str(names.get("__name__") or getattr(value, "__module__", "") or "").partition(".")[0]


def _is_own(value: Any, place: Place, package: str) -> bool:
    """Return whether a function, a class or a module comes from the kernel."""
    with suppress(Exception):
        for name in ("__func__", "fget", "func"):
            value = getattr(value, name, value)
        if code := getattr(value, "__code__", None):
            return place.has(code.co_filename)
        if issubclass(type(value), type):
            return f"{value.__module__}.".startswith(f"{package}.")
        return place.has(getattr(value, "__file__", None) or "/")
    return False
