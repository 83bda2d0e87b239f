"""Reads flake.lock of a kernel that is not yours, before Nix reads anything of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from kernel_builder.machine.files import open_file, read_file
from kernel_builder.messages.errors import KernelBuilderError, Problem

FILE: Final = "flake.lock"
MAX_BYTES: Final = 2**20
MAX_NODES: Final = 1000
VERSIONS: Final = (5, 6, 7)

_COMMIT = r"[0-9a-f]{40}|[0-9a-f]{64}"
_NAME = r"[A-Za-z0-9][\w.-]*"
# No login, because Nix would print it and store it in its cache.
_ADDRESS = r"https://(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?::\d+)?/[!-?A-~]*"
_FORGE: Final = {"owner": r"[\w./~-]+", "repo": _NAME, "rev": _COMMIT}
# Required fields of each kind, and their patterns.
KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    "github": _FORGE,
    "gitlab": _FORGE,
    "sourcehut": _FORGE,
    "git": {"url": _ADDRESS, "rev": _COMMIT},
    "tarball": {"url": _ADDRESS},
    "file": {"url": _ADDRESS},
}
# Optional fields, and their patterns.
TEXTS: Final = {
    "dir": r"(?!.*(?:^|/)\.\.?(?:/|$))[\w.+-][\w./+-]*",
    "host": r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]+",
    "ref": r"(?!-)[\w./@+-]+",
    "rev": _COMMIT,
    "narHash": r"sha256-[A-Za-z0-9+/]{43}=",
}
NUMBERS: Final = ("lastModified", "revCount")
SWITCHES: Final = ("submodules", "shallow", "allRefs", "lfs", "exportIgnore")
_WANT: Final = "inputs by commit and narHash from github, gitlab, sourcehut, git or https://"
_FIX: Final = (
    "lock such an input (nix flake lock); of a kernel that you trust, leave --untrusted out"
)


def read_lock(folder: Path) -> dict[str, Any]:
    """Return the lock of a flake: with `nodes`, `root` and nothing that leads to this machine.

    A flake without a lock has no inputs. Raises KernelBuilderError otherwise.
    """
    with open_file(folder / "flake.nix", max_bytes=MAX_BYTES):
        pass
    file = folder / FILE
    if not file.exists() and not file.is_symlink():
        return {"nodes": {"root": {}}, "root": "root"}
    try:
        data = json.loads(read_file(file, max_bytes=MAX_BYTES), object_pairs_hook=_read_once)
    except (ValueError, RecursionError) as error:
        raise _refuse(file, [("", f"no JSON: {error or 'too deep'}")]) from None
    problems = list(_check(data))
    if problems:
        raise _refuse(file, problems)
    return {"nodes": data["nodes"], "root": data["root"]}


def find_input(lock: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the node of an input by its path from the root, through inputs that follow others.

    For locks that Nix has evaluated: one that follows itself has no end.
    """
    node = lock["nodes"][lock["root"]]
    for name in path:
        target = node["inputs"][name]
        node = find_input(lock, target) if isinstance(target, list) else lock["nodes"][target]
    return node


def _read_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(file: Path, problems: list[tuple[str, str]]) -> KernelBuilderError:
    headline = f"{file} names more than a kernel of others may read"
    listed = [Problem(f"{FILE} {at}".rstrip(), found, _WANT, _FIX) for at, found in problems]
    return KernelBuilderError(headline, listed[:20])


def _check(data: Any) -> Iterator[tuple[str, str]]:
    nodes = data.get("nodes") if isinstance(data, dict) else None
    if not isinstance(nodes, dict) or not 0 < len(nodes) <= MAX_NODES:
        yield "", f"no nodes, or more than {MAX_NODES}"
        return
    if data.get("version") not in VERSIONS:
        yield "version", _show(data.get("version"))
    if not isinstance(data.get("root"), str) or data["root"] not in nodes:
        yield "root", _show(data.get("root"))
        return
    for name, node in nodes.items():
        at = f"nodes.{_show(name)}"
        if not isinstance(node, dict):
            yield at, _show(node)
            continue
        yield from _check_inputs(at, node.get("inputs", {}), nodes)
        if not isinstance(node.get("flake", True), bool) or node.get("parent"):
            yield at, f"flake or parent: {_show([node.get('flake'), node.get('parent')])}"
        if name != data["root"]:
            yield from _check_locked(f"{at}.locked", node.get("locked"))


def _check_inputs(at: str, inputs: Any, nodes: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if not isinstance(inputs, dict):
        yield f"{at}.inputs", _show(inputs)
        return
    for name, target in inputs.items():
        is_path = isinstance(target, list) and all(isinstance(each, str) for each in target)
        if not is_path and not (isinstance(target, str) and target in nodes):
            yield f"{at}.inputs.{_show(name)}", _show(target)


def _check_locked(at: str, locked: Any) -> Iterator[tuple[str, str]]:
    kind = locked.get("type") if isinstance(locked, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        yield at, f"type {_show(kind)}: {_show(locked)}"
        return
    needed = {**KINDS[kind], "narHash": TEXTS["narHash"]}
    for key in sorted(needed.keys() - locked.keys()):
        yield at, f"no {key}"
    for key, value in locked.items():
        if key == "type":
            continue
        pattern = needed.get(key) or TEXTS.get(key)
        fits = (
            isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None
            if pattern
            else isinstance(value, bool)
            if key in SWITCHES
            else key in NUMBERS and isinstance(value, int) and 0 <= value < 2**63
        )
        if not fits:
            yield f"{at}.{_show(key)}", _show(value)


def _show(value: Any) -> str:
    """Return a value of a stranger without control characters."""
    return ascii(value)[:120]
