"""Advice on an import that looks for a file of the kernel itself and does not find it."""

import re
import traceback
from difflib import get_close_matches
from pathlib import Path

from checking.variant import Variant

NO_NAME = re.compile(r"cannot import name '(?P<name>\w+)' from (?:partially initialized module )?'(?P<module>[\w.]+)'")


def advise(error: BaseException, folder: Path, shown_as: str) -> "tuple[str, str] | None":
    """Return what is wanted and what to do if the variant in `folder` lacks a file or imports itself by name."""
    if isinstance(error, FileNotFoundError) and Path(str(error.filename)).is_relative_to(folder):
        return _advise_on_missing(Path(str(error.filename)).relative_to(folder).as_posix(), folder, shown_as)
    if not isinstance(error, ImportError):
        return None
    variant = Variant(folder, "")
    # The client imports a build under the name that only this build has.
    package = f"{variant.read_metadata().get('id')}."
    no_name = NO_NAME.search(str(error))
    name = f"{no_name['module']}.{no_name['name']}" if no_name else str(error.name)
    if name.startswith(package):
        module = name[len(package) :].replace(".", "/")
        return _advise_on_missing(f"{module}.py", folder, shown_as)
    if name.partition(".")[0] == variant.python_name:
        return (
            "relative imports: each build is imported under a name of its own",
            f"write `{_find_relative(error, folder, variant.python_name)}`",
        )
    return None


def _advise_on_missing(path: str, folder: Path, shown_as: str) -> "tuple[str, str]":
    """Return advice for a file that the kernel may have without git knowing it."""
    there = [file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()]
    near = get_close_matches(path, there, 1)
    spelling = f'did you mean "{near[0]}"?' if near else "correct the name"
    return (
        f"{shown_as}/{path}, which is not in the build: Nix sees only files that git tracks",
        f"`git add -N {shown_as}/{path}` if it is there, else {spelling}",
    )


def _find_relative(error: ImportError, folder: Path, name: str) -> str:
    """Return the statement that failed as a relative import, as far as its line tells."""
    frames = [each for each in traceback.extract_tb(error.__traceback__) if Path(each.filename).is_relative_to(folder)]
    if not frames:
        return "from . import …"
    dots = "." * len(Path(frames[-1].filename).relative_to(folder).parts)
    code = frames[-1].line or ""
    if found := re.match(rf"from {name}\.?([\w.]*) import (.+)", code):
        return f"from {dots}{found[1]} import {found[2]}"
    if found := re.match(rf"import {name}\.([\w.]*\.)?(\w+)(.*)", code):
        return f"from {dots}{(found[1] or '').rstrip('.')} import {found[2]}{found[3]}"
    return f"from {dots} import …"
