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
_FORGE: Final = ("owner", "repo", "rev", "narHash")
# Required fields of each kind of input.
KINDS: Final[Mapping[str, Sequence[str]]] = {
    "github": _FORGE,
    "gitlab": _FORGE,
    "sourcehut": _FORGE,
    "git": ("url", "rev", "narHash"),
    "tarball": ("url", "narHash"),
    "file": ("url", "narHash"),
}
# Patterns of fields that some kinds require.
REQUIRED: Final = {
    "owner": r"[\w./~-]+",
    "repo": r"[A-Za-z0-9][\w.-]*",
    # No login, because Nix would print it and store it in its cache.
    "url": r"https://(?:[A-Za-z0-9-]+\.)*[A-Za-z0-9-]+(?::\d+)?/[!-?A-~]*",
}
# Patterns of fields that every kind may have; those of numbers and booleans are of their JSON.
OPTIONAL: Final = {
    "dir": r"(?!.*(?:^|/)\.\.?(?:/|$))[\w.+-][\w./+-]*",
    "host": r"(?:[A-Za-z0-9-]+\.)+[A-Za-z]+",
    "ref": r"(?!-)[\w./@+-]+",
    "rev": _COMMIT,
    "narHash": r"sha256-[A-Za-z0-9+/]{43}=",
    **dict.fromkeys(("lastModified", "revCount"), r"\d{1,18}"),
    **dict.fromkeys(("submodules", "shallow", "allRefs", "lfs", "exportIgnore"), "true|false"),
}
_WANT: Final = "inputs by commit and narHash from github, gitlab, sourcehut, git or https://"
_FIX: Final = "lock such an input (nix flake lock), or trust it: leave --untrusted out"


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
        data, problems = {}, [("", f"no JSON: {error or 'too deep'}")]
    else:
        try:
            problems = list(_check(data))
        except (AttributeError, KeyError, TypeError) as error:
            # A value of another type, or a missing key.
            problems = [("", f"not the form of a lock: {_show(str(error))}")]
    if problems:
        listed = [Problem(f"{FILE} {at}".rstrip(), found, _WANT, _FIX) for at, found in problems]
        headline = f"{file} names more than a kernel of others may read"
        raise KernelBuilderError(headline, listed[:20])
    return {"nodes": data["nodes"], "root": data["root"]}


def _read_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _check(data: Any) -> Iterator[tuple[str, str]]:
    nodes, root = data["nodes"], data["root"]
    if data["version"] not in VERSIONS or root not in nodes or len(nodes) > MAX_NODES:
        yield "", f"another version, no root, or more than {MAX_NODES} nodes"
    for name, node in nodes.items():
        at = f"nodes.{_show(name)}"
        for key, target in node.get("inputs", {}).items():
            is_path = isinstance(target, list) and all(isinstance(each, str) for each in target)
            if not is_path and target not in nodes:
                yield f"{at}.inputs.{_show(key)}", _show(target)
        if not isinstance(node.get("flake", True), bool) or node.get("parent"):
            yield at, f"flake or parent: {_show([node.get('flake'), node.get('parent')])}"
        if name != root:
            yield from _check_locked(f"{at}.locked", node["locked"])


def _check_locked(at: str, locked: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    kind = locked["type"]
    if kind not in KINDS:
        yield at, f"type {_show(kind)}: {_show(locked)}"
        return
    for key in sorted(set(KINDS[kind]) - locked.keys()):
        yield at, f"no {key}"
    patterns = {**OPTIONAL, **{key: REQUIRED[key] for key in KINDS[kind] if key in REQUIRED}}
    for key, value in locked.items():
        text = value if isinstance(value, str) else json.dumps(value)
        if key != "type" and not re.fullmatch(patterns.get(key, "(?!)"), text, re.ASCII):
            yield f"{at}.{_show(key)}", _show(value)


def _show(value: Any) -> str:
    """Return a value of a stranger without control characters."""
    return ascii(value)[:120]
