"""Says why a compile lacks a header that the kernel has.

A compile gets the files that the includes of its sources lead to (`lib/plan/include-graph.nix`).
"""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from kernel_builder.kernel.build_toml import read_build_toml
from kernel_builder.kernel.hidden_files import MISSING_HEADER, add_reason
from kernel_builder.machine.git import find_git_root, list_tracked
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.settings import current_settings

# Files of a kernel that are looked at; more are not worth the time.
_ENOUGH: Final = 100_000


def explain_missing_header(folder: Path, problem: Problem) -> Problem:
    """Return the problem of a failed compile, with the place of a header that Nix sees."""
    for source, first, second in MISSING_HEADER.findall(problem.found):
        if reason := _find_reason(folder, source, first or second):
            return add_reason(problem, *reason)
    return problem


def _find_reason(folder: Path, source: str, name: str) -> tuple[str, str] | None:
    parts = [part for part in PurePosixPath(name).parts if part not in ("/", ".", "..")]
    if not parts:
        return None
    ending = "/" + "/".join(parts)
    alike = [each for each in _list_files(folder) if f"/{each}".lower().endswith(ending.lower())]
    # A kernel of others is read without git.
    is_in_git = not current_settings().untrusted and find_git_root(folder) is not None
    tracked = list_tracked(folder) if alike and is_in_git else None
    # The nearest place is the likeliest.
    for path in sorted(alike, key=lambda each: (each.count("/"), each)):
        if tracked is not None and path not in tracked:
            continue
        there = f"{show(path)} is there"
        if not f"/{path}".endswith(ending):
            return f"{there}, with other capital letters", "correct the name"
        place = f"/{path}"[: -len(ending)].strip("/") or "."
        if place in {str(PurePosixPath(source).parent), *_list_include_folders(folder)}:
            why = (
                "but no include in the text of the sources leads to it, as far as they can be read"
            )
            return f"{there}, {why}", f'write `#include "{name}"` (it counts under `#if 0`, too)'
        why = "but neither the folder of the source nor `include` of its component leads to it"
        return f"{there}, {why}", f'add "{place}" to `include` of the component'
    return None


def _list_files(folder: Path) -> Iterator[str]:
    count = 0
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in files:
            count += 1
            if count > _ENOUGH:
                return
            yield str((Path(place) / name).relative_to(folder))


def _list_include_folders(folder: Path) -> set[str]:
    """Return the folders in `include` of all components."""
    try:
        data = read_build_toml(folder)[1]
    except (KernelBuilderError, OSError):
        return set()
    sections = [data.get("torch"), data.get("tvm-ffi"), *dict(data.get("kernel", {})).values()]
    listed = [each.get("include", []) for each in sections if isinstance(each, dict)]
    return {os.path.normpath(str(name)) for names in listed for name in names}
