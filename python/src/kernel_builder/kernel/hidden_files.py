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

from kernel_builder.machine import git
from kernel_builder.machine.files import is_file
from kernel_builder.messages.errors import Problem, shorten
from kernel_builder.messages.names import join, show

# Nix needs these of each kernel, whatever its message names.
_REQUIRED: Final = ("flake.nix", "build.toml")
# Matches overlap: an apostrophe of a sentence opens no quote.
_QUOTED: Final = re.compile(r"(?=([\"'`])([^\"'`\n]+)\1)")
# A source file with the number of a line, in front of a compiler's error.
_PLACE: Final = re.compile(r"^([^\s:]+):\d+:\d*:? *(?:fatal )?error", re.MULTILINE)
# The beginning of what stands in the place of a file that Git LFS has not fetched.
POINTER: Final = b"version https://git-lfs.github.com/spec/"
# A tree in the store, in front of the path of a file in it.
_IN_STORE: Final = re.compile(r"^/nix/store/[0-9a-z]{32}-[^/\s]+/")
HEADERS_SOUGHT: Final = 3
# A compiler's words for a header that it does not find.
MISSING_HEADER: Final = re.compile(
    r"^([^\s:()]+)[:(].*(?:fatal error: ['\"]?([^'\":\n]+?)['\"]?(?:: No such file| file not found)"
    r"|cannot open source file ['\"]([^'\"\n]+))",
    re.MULTILINE,
)


def explain_hidden(folder: Path, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return why git hides these files of a folder, and a way out; the others are left out."""
    if not names:
        return {}
    add = ["git", "-C", str(folder), "add", "-N"]
    found = {
        name: ("git does not track it, so Nix does not see it", join([*add, "--", name]))
        for name in {*names} & {*git.list_untracked(folder)}
    }
    for module in git.list_submodules(folder):
        why = f"it is in the git submodule {show(module)}, which Nix leaves out"
        # Lix reads git as Nix 2.18 does.
        fix = (
            "commit its files themselves instead of a submodule; or take Nix 2.27 or newer "
            "(not Lix) and write `inputs.self.submodules = true;` into flake.nix"
        )
        inside = [name for name in names if PurePosixPath(name).is_relative_to(module)]
        found |= dict.fromkeys(inside, (why, fix))
    # The files of a submodule may be missing here, too.
    present = [name for name in {*names} - {*found} if os.path.lexists(folder / name)]
    for name, rule in git.find_ignoring(folder, present).items() if present else ():
        fix = f"{join([*add, '-f', '--', name])}, or correct it"
        found[name] = f"git ignores it ({show(rule)}), so Nix does not see it", fix
    return found


def explain_problems(folder: Path, text: str, problems: Sequence[Problem]) -> list[Problem]:
    """Return problems with the true reason where they are about files that git hides.

    `folder` is in git, and `text` is the message of Nix. Problems are added for files that only the
    text names.
    """
    if refusal := git.find_refusal(folder):
        return [_explain_refusal(folder, refusal)]
    untracked = [
        name
        for name in git.list_untracked(folder)
        if name in _REQUIRED
        # Quick, for a folder of many files.
        or (name in text and re.search(rf"[/\"']{re.escape(name)}(?![\w.-])", text))
    ]
    if untracked:
        found = "files that git does not track yet: " + ", ".join(map(show, shorten(untracked)))
        want = "tracked files, since Nix reads a folder in git through git"
        fix = join(["git", "-C", str(folder), "add", "-N", "--", *untracked])
        return [*problems, Problem(str(folder), found, want, fix)]
    explained = [*problems]
    for name, (why, fix) in explain_hidden(folder, _list_named(folder, text)).items():
        about = [each for each in problems if f'"{name}"' in each.found]
        for each in about:
            known = replace(each, found=f"{each.found}\n{why}", fix=fix)
            explained[explained.index(each)] = known
        if not about:
            explained.append(Problem(str(folder / name), why, "a file that Nix reads", fix))
    return explained


def _explain_refusal(folder: Path, refusal: str) -> Problem:
    """Return the problem of a repository that git does not read."""
    root = str(git.find_git_root(folder))
    fix = "repair the repository, or remove its .git"
    if "dubious ownership" in refusal:
        command = join(["git", "config", "--global", "--add", "safe.directory", root])
        fix = f"make the folder yours, or if you trust it: {command}"
    want = "a repository that git reads, since Nix reads the folder through it"
    return Problem(root, refusal.split("\n")[0], want, fix)


def _list_named(folder: Path, text: str) -> list[str]:
    """Return the paths below a folder that a message names in quotes, as they are or stored."""
    below = folder.relative_to(git.find_git_root(folder) or folder)
    named = []
    for _, word in _QUOTED.findall(text):
        path = PurePosixPath(_IN_STORE.sub("", word))
        if _IN_STORE.match(word) and path.is_relative_to(below):
            path = path.relative_to(below)
        if path.parts and not path.is_absolute() and ".." not in path.parts:
            named.append(str(path))
    return named


def explain_failure(folder: Path, problem: Problem, *, in_git: bool) -> Problem:
    """Return the problem of a failed step, with the reason if the build does not see a file."""
    reason = None
    for name in _PLACE.findall(problem.found):
        file = folder / name
        is_inside = name[0] != "/" and ".." not in name and is_file(file)
        if is_inside and file.read_bytes().startswith(POINTER):
            reason = f"{show(name)} is a pointer of Git LFS, not the file itself", "git lfs pull"
    # Each of them reads all folders of the kernel.
    for source, first, second in MISSING_HEADER.findall(problem.found)[:HEADERS_SOUGHT]:
        reason = reason or _find_header(folder, source, first or second, in_git=in_git)
    if in_git and not reason and "import" in problem.found + problem.at:
        words = {*re.findall(r"\w+", problem.found)}
        modules = [it for it in git.list_untracked(folder) if PurePosixPath(it).suffix == ".py"]
        for name in [each for each in modules if PurePosixPath(each).stem in words][:1]:
            why, fix = explain_hidden(folder, [name])[name]
            reason = f"{show(name)} is there, but {why}", fix
    if reason is None:
        return problem
    why, fix = reason
    # The last line names the log.
    log = problem.fix.split("\n")[-1]
    return replace(problem, found=f"{problem.found}\n{why}", fix=f"{fix}\n{log}")


def _find_header(folder: Path, source: str, name: str, *, in_git: bool) -> tuple[str, str] | None:
    file = Path(os.path.normpath(folder / Path(source).parent / name))
    if is_file(file) and folder not in file.parents:
        why = "is there, but not in the kernel's folder, so a build does not see it"
        return f"{show(file)} {why}", f"put it into {show(folder)}"
    ending = name.lstrip("./")
    alike = folder.rglob(glob.escape(ending)) if ending else ()
    below = [path.relative_to(folder).as_posix() for path in alike if path.is_file()]
    hidden = explain_hidden(folder, below) if in_git else {}
    # The nearest place is the likeliest.
    for path in sorted(below, key=lambda each: (each.count("/"), each)):
        if path in hidden:
            why, fix = hidden[path]
            return f"{show(path)} is there, but {why}", fix
        if not in_git and (folder / path).is_symlink():
            why = "is a link, and a build follows none out of the kernel"
            return f"{show(path)} {why}", "put the file itself there"
        if not path.startswith("."):
            place = path.removesuffix(ending).strip("/") or "."
            fix = f'add "{place}" to `include` of the component, or name the file in an `#include`'
            return f"{show(path)} is there, but no include of the sources leads to it", fix
    return None
