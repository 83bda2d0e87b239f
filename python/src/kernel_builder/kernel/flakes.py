"""The flake of a kernel: its reference, its inputs, and the kernels that it has."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.machine.files import read_file
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import quote, show
from kernel_builder.messages.terminal import complain
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import git_reference, is_plain, nix_path, nix_string
from kernel_builder.nix.systems import find_system
from kernel_builder.settings import cache_by_settings

LOCK: Final = "flake.lock"
# Only a flake.nix with such a path can lead out of its folder. Whether one does, Nix says.
_LEADS_UP: Final = re.compile(rb'[":/]\.\.["/?]')


def read_lock(flake: Path) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the nodes of a folder's flake.lock, and the nodes of the flake's inputs by name.

    Raises KernelBuilderError for a damaged lock: Nix would not name the file.
    """
    file = flake / LOCK
    content = read_file(file.resolve()) if file.exists() else b"{}"
    try:
        data = json.loads(content)
        nodes = data.get("nodes", {})
        return nodes, nodes.get(data.get("root"), {}).get("inputs", {})
    except (ValueError, RecursionError, AttributeError, TypeError) as error:
        said = str(error) if isinstance(error, ValueError) else "JSON of another form"
        found = "conflict marks of git" if b"<<<<<<<" in content else said
        fix = f"git -C {quote(str(flake))} checkout HEAD -- {LOCK}, or delete it to lock the newest"
        problem = Problem(str(file), found, "the JSON that Nix wrote", fix, str(file))
        raise KernelBuilderError("flake.lock is damaged", [problem]) from None


@cache
def find_inputs_outside(flake: Path) -> Mapping[str, Path]:
    """Return the folder of each input whose path in flake.nix leads out of the flake.

    An input that flake.lock holds to something else is not one of them.
    """
    if not _LEADS_UP.search(read_file((flake / "flake.nix").resolve())):
        return {}
    function = nix_path(Path(__file__).with_name("flake-inputs.nix"))
    found = nix.evaluate(["--impure", "--expr", f"import {function} {nix_path(flake)}"])
    return {name: Path(found[name]).resolve() for name in found}


def refer_to_flake(folder: Path) -> tuple[str, Path | None]:
    """Return the flake reference of a folder, and the folder to start Nix in if that matters.

    An address with escapes would do for any folder, but older versions of Nix read them wrongly.
    """
    root = find_git_root(folder)
    # Nix takes any `.git` for a repository, git itself only some.
    nearest = next((up for up in (folder, *folder.parents) if (up / ".git").exists()), None)
    if is_plain(folder) and (root is None or root == nearest):
        return (str(folder) if root else f"path:{folder}"), None
    if root is None:
        return "path:.", folder
    relative = nix.release().number < nix.READS_ESCAPES
    return git_reference(root, folder.relative_to(root), relative=relative), root


def locate_in(flake: Path, place: str) -> Path:
    """Return the folder at a place in the repository of a flake, or without one in the flake."""
    return (find_git_root(flake) or flake) / place


@cache_by_settings
def provides_kernel(flake: Path, folder: Path) -> bool:
    """Return whether a flake has the kernel in a folder. Nix decides, and nothing is written."""
    reference, start = refer_to_flake(flake)
    words = [f"{reference}#legacyPackages.{find_system()}", "--no-write-lock-file"]
    name = nix_string(folder.name)
    # A flake may put outputs together by itself. Older libraries do not state places.
    has_it = f"(builtins.tryEval (it ? {name}.manifestOf)).value"
    place = f'if {has_it} then it.{name}.manifest.place or "an unknown folder" else ""'
    apply = f"it: it.kernelFolders.{name} or ({place})"
    try:
        place = nix.evaluate(words, apply, start)
    except NixError as error:
        # With any other error, whoever evaluates the kernel gets the same one.
        return "does not provide attribute" not in error.headline
    if place and (other := locate_in(flake, place)) != folder:
        where = f"{show(flake)} has {show(other)}"
        complain("warning", f"{show(folder)} is built without a flake: {where}")
    return bool(place) and other == folder
