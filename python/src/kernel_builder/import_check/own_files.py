"""Advice on an import that does not find a file of the kernel itself."""

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Optional

NO_NAME = re.compile(
    r"cannot import name '(?P<name>\w+)' from "
    r"(?:partially initialized module )?'(?P<module>[\w.]+)'"
)


def advise_on_files(
    error: BaseException, folder: Path, shown_as: str, metadata: Mapping[str, Any]
) -> "Optional[tuple[str, str]]":
    """Return `want` and `fix` if the variant lacks a file or imports itself by name, else None."""
    if isinstance(error, FileNotFoundError):
        file = Path(str(error.filename))
        if not file.is_relative_to(folder):
            return None
        return _advise_on_missing(file.relative_to(folder).as_posix(), folder, shown_as)
    if not isinstance(error, ImportError):
        return None
    # The client imports a build under the name in `id`, which no other build has.
    package = f"{metadata['id']}."
    no_name = NO_NAME.search(str(error))
    name = f"{no_name['module']}.{no_name['name']}" if no_name else str(error.name)
    if name.startswith(package):
        module = name[len(package) :].replace(".", "/")
        return _advise_on_missing(f"{module}.py", folder, shown_as)
    python_name = str(metadata.get("name", "")).replace("-", "_")
    if name.partition(".")[0] == python_name:
        return (
            "relative imports: each build is imported under a name of its own",
            f"write `from . import NAME` instead of `from {python_name} import NAME`",
        )
    return None


def _advise_on_missing(path: str, folder: Path, shown_as: str) -> "tuple[str, str]":
    """Return advice for a file that the kernel may have without git knowing it."""
    files = [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()]
    near = get_close_matches(path, files, 1)
    spelling = f'did you mean "{near[0]}"?' if near else "correct the name"
    return (
        f"{shown_as}/{path}, which is not in the build: Nix sees only files that git tracks",
        f"`git add -N {shown_as}/{path}` if it is there, else {spelling}",
    )
