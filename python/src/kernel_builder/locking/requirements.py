"""What a wheel requires: reading `Requires-Dist` lines and deciding their markers.

pip decides markers for the machine it runs on; pins are for other systems and for one Python, so
they are decided here. A marker has the form of a Python expression and is read as one.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Final

from kernel_builder.messages.errors import KernelBuilderError, Problem

_REQUIREMENT: Final = re.compile(
    r"^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?[^;]*(?:;(.*))?$"
)
_VERSIONS: Final = ("python_version", "python_full_version", "implementation_version")


@dataclass(frozen=True)
class Requirement:
    """A required project, the extras that are asked of it, and when."""

    name: str
    extras: frozenset[str]
    marker: str


def normalize(name: str) -> str:
    """Return a project's name in the one spelling that all indexes agree on."""
    return re.sub(r"[-_.]+", "-", name).lower()


def parse_requirement(text: str) -> Requirement:
    """Return the parts of a requirement that matter for a closure."""
    parts = _REQUIREMENT.match(text)
    if not parts:
        raise _unreadable(text)
    name, extras, marker = parts.groups()
    asked = frozenset(normalize(extra.strip()) for extra in (extras or "").split(",") if extra)
    return Requirement(normalize(name), asked, (marker or "").strip())


def marker_environment(system: str, python: str) -> dict[str, str]:
    """Return the values of the marker variables for CPython on a Linux system."""
    return {
        "implementation_name": "cpython",
        "implementation_version": f"{python}.0",
        "os_name": "posix",
        "platform_machine": system.split("-")[0],
        "platform_python_implementation": "CPython",
        "platform_release": "",
        "platform_system": "Linux",
        "platform_version": "",
        "python_full_version": f"{python}.0",
        "python_version": python,
        "sys_platform": "linux",
    }


def applies(marker: str, environment: Mapping[str, str], extras: Set[str]) -> bool:
    """Say whether a marker holds without extras, or with one of these."""
    if not marker:
        return True
    try:
        tree = ast.parse(marker.strip(), mode="eval").body
        return any(
            _evaluate(tree, {**environment, "extra": extra}) for extra in ("", *sorted(extras))
        )
    except (SyntaxError, KeyError, TypeError, ValueError):
        raise _unreadable(marker) from None


def _evaluate(node: ast.expr, environment: Mapping[str, str]) -> bool:
    if isinstance(node, ast.BoolOp):
        results = [_evaluate(value, environment) for value in node.values]
        return all(results) if isinstance(node.op, ast.And) else any(results)
    if not isinstance(node, ast.Compare) or len(node.ops) != 1:
        raise ValueError(ast.dump(node))
    return _compare(node.left, node.ops[0], node.comparators[0], environment)


def _compare(
    left: ast.expr, operator: ast.cmpop, right: ast.expr, environment: Mapping[str, str]
) -> bool:
    names = [side.id for side in (left, right) if isinstance(side, ast.Name)]
    one, other = (_value(side, environment) for side in (left, right))
    if "extra" in names:
        one, other = normalize(one), normalize(other)
    if isinstance(operator, ast.In):
        return one in other
    if isinstance(operator, ast.NotIn):
        return one not in other
    first, second = (_key(text, names) for text in (one, other))
    return {
        ast.Eq: first == second,
        ast.NotEq: first != second,
        ast.Lt: first < second,
        ast.LtE: first <= second,
        ast.Gt: first > second,
        ast.GtE: first >= second,
    }[type(operator)]


def _value(node: ast.expr, environment: Mapping[str, str]) -> str:
    if isinstance(node, ast.Name):
        return environment[node.id]
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError(ast.dump(node))


def _key(text: str, names: list[str]) -> tuple[object, ...]:
    """Return what to compare: numbers for versions, so that 3.9 comes before 3.11."""
    if not any(name in _VERSIONS for name in names):
        return (text,)
    numbers = [int(part) for part in re.findall(r"\d+", text)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)


def _unreadable(text: str) -> KernelBuilderError:
    problem = Problem(
        at="the metadata of a wheel",
        found=text,
        want="a requirement or a marker of the usual form",
        fix="pin another version of that wheel, or teach this form to locking/requirements.py",
    )
    return KernelBuilderError("a requirement cannot be read", [problem])
