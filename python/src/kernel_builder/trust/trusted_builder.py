"""Chooses the kernel-builder whose library is applied to a kernel of others.

It is the running one, or a commit of the same repository that the kernel's lock names. The lock
gives this commit and nothing else: no address of a stranger is asked.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from kernel_builder import nix
from kernel_builder.kernel.builder import find_flake
from kernel_builder.kernel.flakes import refer_to_flake
from kernel_builder.kernel.folder import MAX_FOLDER_BYTES
from kernel_builder.machine.git import find_address, find_git_root, is_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import say
from kernel_builder.nix import Tree
from kernel_builder.settings import cache_by_settings, current_settings
from kernel_builder.trust.clones import BRANCHES, fetch_commit, has_ancestor, write_files
from kernel_builder.trust.flake_text import LOCK, Named, read_builder

_GITHUB: Final = re.compile(r"github:([\w.-]+/[\w.-]+?)(?:[/?].*)?", re.ASCII)
_GIT: Final = re.compile(r"git\+(https://[^?]+)(?:\?.*)?", re.ASCII)


@dataclass(frozen=True)
class Builder:
    """A kernel-builder: where it is from, and its files in the store."""

    address: str
    tree: Tree

    def __str__(self) -> str:
        commit = self.tree.commit or "no commit, as files were changed"
        return f"kernel-builder {self.address} at {commit}, {self.tree.digest}"


@cache_by_settings
def find_running(reference: str) -> Builder:
    """Return the kernel-builder of a reference or of a checkout, which the user trusts."""
    root, place = Path(reference), None
    address = _find_repository(reference) or reference
    if root.is_absolute():
        # Within a larger repository, the folder alone is it.
        is_part = find_git_root(root) not in (None, root)
        reference, place = ("path:.", root) if is_part else refer_to_flake(root)
    return Builder(address, nix.read_flake(reference, place))


def choose_builder(folder: Path) -> tuple[Builder, list[str]]:
    """Return the kernel-builder for the kernel in a folder, and notes on why it is that one.

    Raises KernelBuilderError if the lock states another hash than its commit has.
    """
    reference = find_flake()
    running = find_running(reference)
    try:
        named = read_builder(folder)
    except ValueError as error:
        return running, [f"{error}: built with the running kernel-builder"]
    if named is None:
        return running, []
    is_running = named.commit == running.tree.commit
    builder, why = (running, "") if is_running else _fetch(reference, named)
    if builder is None:
        return running, [f"{why}: built with the running kernel-builder"]
    if builder.tree.digest != named.digest:
        want = f"the hash of this commit, {builder.tree.digest}"
        problem = Problem(LOCK, f"{named.commit}, {named.digest}", want, "do not use this kernel")
        raise KernelBuilderError(f"{LOCK} states another hash than its commit has", [problem])
    return builder, []


@cache_by_settings
def _fetch(reference: str, named: Named) -> tuple[Builder | None, str]:
    """Return the named commit if it is one of the reference's repository, or else the reason."""
    address = _find_repository(reference)
    root = Path(reference)
    is_local = root.is_absolute() and is_git_root(root) and has_ancestor(root, named.commit)
    if not is_local and _normalise(address) != _normalise(named.address):
        return None, f"{LOCK} names a commit of another repository, {named.address}"
    source = str(root) if is_local else address
    if not is_local and current_settings().offline:
        return None, f"{LOCK} names the commit {named.commit}, which --offline does not fetch"
    say(f"the kernel-builder of {LOCK} is fetched from {source}")
    with TemporaryDirectory(prefix="kernel-builder-") as temporary:
        clone, files = (Path(temporary, name).resolve() for name in ("clone", "source"))
        # A commit from the history of the trusted one may be on no branch any more.
        way = (named.commit,) if is_local else BRANCHES
        if error := fetch_commit(source, named.commit, clone, way):
            return None, f"the commit that {LOCK} names cannot be had: {error}"
        write_files(clone, named.commit, lambda _: True, files, MAX_FOLDER_BYTES, links=True)
        tree = Tree(nix.add_files([files]), nix.hash_folder(files), named.commit)
        return Builder(address or reference, tree), ""


def _find_repository(reference: str) -> str:
    """Return the address of the repository that a reference or a checkout comes from, or ""."""
    if (root := Path(reference)).is_absolute():
        return (find_address(root) if is_git_root(root) else None) or ""
    if github := _GITHUB.fullmatch(reference):
        return f"https://github.com/{github[1]}"
    git = _GIT.fullmatch(reference)
    return git[1] if git else ""


def _normalise(address: str) -> str:
    return address.lower().rstrip("/").removesuffix(".git")
