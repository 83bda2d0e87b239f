"""Files that a build sees otherwise than their author: git hides or changes them.

Nix reads a folder in git through git. git itself is asked why: its rules for ignored files and for
attributes are in many places.
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from kernel_builder import nix
from kernel_builder.machine.git import (
    SUBMODULE,
    find_attributes,
    find_git_root,
    find_ignoring,
    find_refusal,
    has_filter,
    hash_blobs,
    list_tracked,
    list_untracked,
)
from kernel_builder.messages.errors import Problem, shorten
from kernel_builder.messages.names import join, show
from kernel_builder.nix.advisories import Number

# The number of files of a warning that are listed.
FILES_SHOWN: Final = 3
# Older versions of Nix read a commit with `git archive`.
READS_COMMITS: Final = (2, 20, 0)
READS_SUBMODULES: Final = (2, 27, 0)

# Attributes that change files of a commit in `git archive`.
_EXPORT: Final = ("export-ignore", "export-subst")
# Attributes with which git stores other bytes than those in the folder.
_CONVERT: Final = ("filter", "ident", "working-tree-encoding", "eol")
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


def _has_release(number: Number) -> bool:
    """Return whether Nix is this release or a newer one. Lix reads git as Nix 2.18 does."""
    release = nix.release()
    return release.implementation == "Nix" and release.number >= number


def _is_below(path: str, folder: str) -> bool:
    return path == folder or path.startswith(f"{folder}/")


def explain_hidden(folder: Path, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Return why git hides these files of a folder, and a way out; the others are left out."""
    found: dict[str, tuple[str, str]] = {}
    if not names:
        return found
    tracked = list_tracked(folder)
    modules = [path for path, (kind, _) in tracked.items() if kind == SUBMODULE]
    inside = {name: each for name in names for each in modules if _is_below(name, each)}
    # The files of a submodule may be missing here, too.
    names = [name for name in dict.fromkeys(names) if (folder / name).exists()]
    for name, module in inside.items():
        line = "write `inputs.self.submodules = true;` into flake.nix"
        if not _has_release(READS_SUBMODULES):
            line = f"take Nix 2.27 or newer and {line}"
        fix = f"commit its files themselves instead of a submodule; or {line}"
        found[name] = f"it is in the git submodule {show(module)}, which Nix leaves out", fix
    others = [name for name in names if name not in inside]
    for name, rule in find_ignoring(folder, others).items() if others else ():
        fix = f"{join(['git', '-C', str(folder), 'add', '-N', '-f', '--', name])}, or correct it"
        found[name] = f"git ignores it ({show(rule)}), so Nix does not see it", fix
    if not _has_release(READS_COMMITS):
        places = _with_folders(others)
        excluded = find_attributes(folder, ["export-ignore"], places) if places else {}
        for name in others:
            if name not in found and {name, *_folders_of(name)} & excluded.keys():
                fix = "take export-ignore off in .gitattributes, or use Nix 2.20 or newer"
                why = "export-ignore in .gitattributes leaves it out of commits for this Nix"
                found[name] = why, fix
    return found


def _folders_of(name: str) -> list[str]:
    return [f"{up}/" for up in PurePosixPath(name).parents if str(up) != "."]


def _with_folders(names: Sequence[str]) -> list[str]:
    return list(dict.fromkeys([*names, *(up for name in names for up in _folders_of(name))]))


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


def explain_failure(folder: Path, problem: Problem) -> Problem:
    """Return the problem of a failed step, with the reason if git hides or has not got a file."""
    for name in dict.fromkeys(_PLACE.findall(problem.found)):
        if ".." not in name and name[0] != "/" and is_pointer(folder / name):
            why = f"{show(name)} is a pointer of Git LFS, not the file itself"
            return add_reason(problem, why, "git lfs pull")
    missing = [(source, a or b) for source, a, b in MISSING_HEADER.findall(problem.found)]
    for source, name in missing:
        file = Path(os.path.normpath(folder / Path(source).parent / name))
        if file.is_file() and folder not in file.parents:
            why = (
                f"{show(file)} is there, but not in the kernel's folder, so a build does not see it"
            )
            return add_reason(problem, why, f"put it into {show(folder)}")
    if not missing or find_git_root(folder) is None:
        return problem
    untracked = list_untracked(folder)
    for _, name in missing:
        ending = f"/{PurePosixPath(name).as_posix().lstrip('./')}"
        if ending == "/":
            continue
        found = [path for path in untracked if f"/{path}".endswith(ending)]
        if found:
            fix = join(["git", "-C", str(folder), "add", "-N", "--", found[0]])
            why = f"{show(found[0])} is not tracked by git, so Nix does not see it"
            return add_reason(problem, why, fix)
        below = [str(each.relative_to(folder)) for each in folder.rglob(ending[1:])]
        for path, (why, fix) in explain_hidden(folder, below).items():
            why = f"{show(path)} is there, but {why}"
            return add_reason(problem, why, fix)
    return problem


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


def find_changed(folder: Path) -> Iterator[Problem]:
    """Yield files that are not the same in the folder and in a commit of it, as Nix reads them."""
    tracked = list_tracked(folder)
    files = [path for path, (kind, _) in tracked.items() if kind != SUBMODULE]
    attributes = find_attributes(folder, (*_EXPORT, *_CONVERT), _with_folders(files))
    is_old = bool(attributes) and not _has_release(READS_COMMITS)
    for name in _EXPORT if is_old else ():
        if paths := [path for path, set_here in attributes.items() if name in set_here]:
            does = "leaves it out" if name == "export-ignore" else "changes it"
            found = f"{name}: {nix.release()} {does} in a commit, and not with uncommitted changes"
            fix = f"take {name} off in .gitattributes, or use Nix 2.20 or newer"
            yield _describe(paths, found, "the same files in every build", fix)
    rules: dict[str, list[str]] = {}
    for path in _list_converted(folder, {each: tracked[each][1] for each in files}, attributes):
        set_here = {key: each for key, each in attributes[path].items() if key in _CONVERT}
        rules.setdefault(" ".join(f"{key}={set_here[key]}" for key in set_here), []).append(path)
    for rule, paths in rules.items():
        found = (
            f"{rule}: git stores other bytes than this folder has.\n"
            "Nix reads those of git in a commit, and those of the folder with uncommitted changes"
        )
        fix = "take the attribute off in .gitattributes, then `git add --renormalize .`"
        yield _describe(paths, found, "the same bytes in every build", fix)


def _list_converted(
    folder: Path, stored: Mapping[str, str], attributes: Mapping[str, Mapping[str, str]]
) -> list[str]:
    """Return the files of which git stores other bytes than those in the folder."""
    present = [
        path
        for path in stored
        if attributes.get(path, {}).keys() & {*_CONVERT} and (folder / path).is_file()
    ]
    if not present:
        return []
    filters = {name for path in present if (name := attributes[path].get("filter"))}
    programs = {name for name in filters if has_filter(folder, name)}
    plain = hash_blobs(folder, present, converted=False)
    converted = hash_blobs(folder, present, converted=True)
    # The filter itself is not run, so an edited file counts.
    return [
        path
        for path in present
        if plain.get(path) != converted.get(path)
        or (attributes[path].get("filter") in programs and plain.get(path) != stored[path])
    ]


def _describe(paths: Sequence[str], found: str, want: str, fix: str) -> Problem:
    return Problem("\n".join(shorten([*map(show, paths)], FILES_SHOWN)), found, want, fix)
