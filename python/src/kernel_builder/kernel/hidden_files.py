"""Says why a build does not see a file that its author has.

Nix reads a folder in git through git, whose rules for ignored files are in many places: git itself
is asked. A compile gets the files that the includes of its sources lead to.
"""

import glob
import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.git import (
    find_git_root,
    find_ignoring,
    find_refusal,
    list_submodules,
    list_untracked,
)
from kernel_builder.messages.errors import Problem
from kernel_builder.messages.names import join, show

READS_SUBMODULES: Final = (2, 27, 0)

# Matches overlap: an apostrophe of a sentence opens no quote.
_QUOTED: Final = re.compile(r"(?=([\"'`])([^\"'`\n]+)\1)")
# A source file with the number of a line, in front of a compiler's error.
_PLACE: Final = re.compile(r"^([^\s:]+):\d+:\d*:? *(?:fatal )?error", re.MULTILINE)
# The beginning of what stands in the place of a file that Git LFS has not fetched.
POINTER: Final = b"version https://git-lfs.github.com/spec/"
# A tree in the store, in front of the path of a file in it.
_IN_STORE: Final = re.compile(r"/nix/store/[0-9a-z]{32}-[^/\s]+/")
# A compiler's words for a header that it does not find.
MISSING_HEADER: Final = re.compile(
    r"^([^\s:()]+)[:(].*(?:fatal error: ['\"]?([^'\":\n]+?)['\"]?(?:: No such file| file not found)"
    r"|cannot open source file ['\"]([^'\"\n]+))",
    re.MULTILINE,
)


def explain_hidden(folder: Path, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return why git hides these files of a folder, and a way out; the others are left out."""
    found: dict[str, tuple[str, str]] = {}
    modules = list_submodules(folder) if names else ()
    for name, module in ((name, each) for name in names for each in modules):
        if name == module or name.startswith(f"{module}/"):
            # Lix reads git as Nix 2.18 does.
            is_old = nix.release().implementation != "Nix"
            is_old = is_old or nix.release().number < READS_SUBMODULES
            line = "write `inputs.self.submodules = true;` into flake.nix"
            line = f"take Nix 2.27 or newer and {line}" if is_old else line
            fix = f"commit its files themselves instead of a submodule; or {line}"
            found[name] = f"it is in the git submodule {show(module)}, which Nix leaves out", fix
    # The files of a submodule may be missing here, too.
    others = [name for name in {*names} - {*found} if (folder / name).exists()]
    for name, rule in find_ignoring(folder, others).items() if others else ():
        fix = f"{join(['git', '-C', str(folder), 'add', '-N', '-f', '--', name])}, or correct it"
        found[name] = f"git ignores it ({show(rule)}), so Nix does not see it", fix
    return found


def explain_problems(folder: Path, text: str, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with the true reason where they are about files that git hides.

    `text` is the message of Nix. Problems are added for files that only the text names.
    """
    root = find_git_root(folder)
    if root is None:
        return [*problems]
    if refusal := find_refusal(folder):
        command = join(["git", "config", "--global", "--add", "safe.directory", str(root)])
        fix = f"make the folder yours, or if you trust it: {command}"
        if "dubious ownership" not in refusal:
            fix = "repair the repository, or remove its .git"
        want = "a repository that git reads, since Nix reads the folder through it"
        return [Problem(str(root), refusal.split("\n")[0], want, fix)]
    hidden = explain_hidden(folder, _list_named(folder, root, text))
    explained, told = [], set()
    for problem in problems:
        name = next((each for each in hidden if f'"{each}"' in problem.found), None)
        if name:
            told.add(name)
            why, fix = hidden[name]
            problem = replace(problem, found=f"{problem.found}\n{why}", fix=fix)
        explained.append(problem)
    for name, (why, fix) in hidden.items():
        if name not in told:
            explained.append(Problem(str(folder / name), why, "a file that Nix reads", fix))
    return explained


def _list_named(folder: Path, root: Path, text: str) -> list[str]:
    """Return the paths below a folder that a message names in quotes, as they are or stored."""
    below = folder.relative_to(root).as_posix()
    named = []
    for _, word in _QUOTED.findall(text):
        if _IN_STORE.match(word):
            word = _IN_STORE.sub("", word, count=1)
            word = word if below == "." else word.removeprefix(f"{below}/")
        path = PurePosixPath(word)
        if not path.is_absolute() and ".." not in path.parts and path.parts:
            named.append(str(path))
    return named


def explain_failure(folder: Path, problem: Problem, *, in_git: bool) -> Problem:
    """Return the problem of a failed step, with the reason if the build does not see a file."""
    for name in dict.fromkeys(_PLACE.findall(problem.found)):
        if ".." not in name and name[0] != "/" and is_pointer(folder / name):
            why = f"{show(name)} is a pointer of Git LFS, not the file itself"
            return add_reason(problem, why, "git lfs pull")
    for source, first, second in MISSING_HEADER.findall(problem.found):
        if reason := _find_header(folder, source, first or second, in_git=in_git):
            return add_reason(problem, *reason)
    return problem


def _find_header(folder: Path, source: str, name: str, *, in_git: bool) -> tuple[str, str] | None:
    file = Path(os.path.normpath(folder / Path(source).parent / name))
    if file.is_file() and folder not in file.parents:
        why = "is there, but not in the kernel's folder, so a build does not see it"
        return f"{show(file)} {why}", f"put it into {show(folder)}"
    ending = "/".join(each for each in PurePosixPath(name).parts if each not in ("/", "..", "."))
    alike = folder.rglob(glob.escape(ending)) if ending else ()
    below = [path.relative_to(folder).as_posix() for path in alike if path.is_file()]
    untracked = list_untracked(folder) if below and in_git else ()
    hidden = explain_hidden(folder, below) if in_git else {}
    # The nearest place is the likeliest.
    for path in sorted(below, key=lambda each: (each.count("/"), each)):
        if path in untracked:
            fix = join(["git", "-C", str(folder), "add", "-N", "--", path])
            return f"{show(path)} is not tracked by git, so Nix does not see it", fix
        if path in hidden:
            why, fix = hidden[path]
            return f"{show(path)} is there, but {why}", fix
        if not path.startswith("."):
            place = path.removesuffix(ending).strip("/") or "."
            fix = f'add "{place}" to `include` of the component, or name the file in an `#include`'
            return f"{show(path)} is there, but no include of the sources leads to it", fix
    return None


def is_pointer(file: Path) -> bool:
    """Return whether a file is what Git LFS puts in the place of one that it has not fetched."""
    if not file.is_file():
        return False
    with file.open("rb") as opened:
        return opened.read(len(POINTER)) == POINTER


def add_reason(problem: Problem, why: str, fix: str) -> Problem:
    """Return the problem of a failed step with its reason; `fix` takes the place of the advice.

    The last line of the problem's fix names the log, and stays.
    """
    log = problem.fix.split("\n")[-1]
    return replace(problem, found=f"{problem.found}\n{why}", fix=f"{fix}\n{log}")
