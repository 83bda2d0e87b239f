"""Recognize a kernel's folder, and evaluate it with Nix."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.kernel.build_toml import read_build_toml
from kernel_builder.kernel.builder import find_root, is_in_root
from kernel_builder.kernel.places import Place, find_places, locate
from kernel_builder.machine.files import read_file, require_size
from kernel_builder.machine.git import find_git_root, list_untracked
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems
from kernel_builder.messages.names import join, quote, show
from kernel_builder.messages.terminal import complain, say
from kernel_builder.nix.derivations import DEFAULT_STORE
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import git_reference, is_plain, nix_list, nix_path
from kernel_builder.settings import current_settings

MAX_FOLDER_BYTES: Final = 2 * 2**30
# The number of untracked files that a proposed command names.
UNTRACKED_SHOWN: Final = 5

# The end of the library's headlines, with its name of the file, whose folder it may not know.
_COUNT: Final = re.compile(r" \(\d+ problems?\)$")
_OF_FILE: Final = re.compile(r"^\S*build\.toml(?= cannot be built)")


class Kernel:
    """A folder with a `build.toml`, with or without a flake around it.

    `targets` are what it is compiled for where that is less than what `build.toml` lists, `system`
    is the one to build for where it is not this machine's.
    """

    def __init__(
        self, folder: Path, targets: Sequence[str] = (), system: str | None = None
    ) -> None:
        self.folder = _find_kernel(folder)
        self.targets = targets
        self._outputs = f"cross.{system}." if system else ""
        self._text, self.toml = read_build_toml(self.folder)
        if self.has_flake:
            self._check_lock()
        if self.has_flake and find_git_root(self.folder) is None:
            # Nix copies such a folder into the store as a whole, for every command.
            fix = "remove large files, or `git init && git add .`: then only tracked files are read"
            require_size(self.folder, MAX_FOLDER_BYTES, fix)

    @property
    def has_flake(self) -> bool:
        """Return whether the folder is a flake."""
        return (self.folder / "flake.nix").is_file()

    def _check_lock(self) -> None:
        _require_json(self.folder / "flake.lock")

    def reference(self, attribute: str) -> tuple[list[str], Path | None]:
        """Return the arguments of `nix eval` for an attribute, and the folder to start it in."""
        if not self.has_flake:
            _check_links(self.folder)
            expression = f"({self._expression()}).{self._outputs}{attribute}"
            return ["--impure", "--expr", expression], None
        flake, place = refer_to_flake(self.folder)
        own = []
        if is_in_root(self.folder) or self._is_lone_example():
            # An example follows this repository; a lock would hold it to the state of one day.
            own = ["--no-write-lock-file"]
            root = find_root()
            if find_git_root(self.folder) is None and is_plain(root):
                # Without git a flake is its folder alone, which `path:../..` leads out of.
                own += ["--override-input", "kernel-builder", f"path:{root}"]
        return [f"{flake}#{self._outputs}{attribute}", *own], place

    def _is_lone_example(self) -> bool:
        """Return whether the kernel is an example without its repository, such as a mounted one."""
        text = (self.folder / "flake.nix").read_text(encoding="utf-8", errors="replace")
        above = self.folder / ".." / ".." / "flake.nix"
        alone = find_git_root(self.folder) is None and not above.is_file()
        return alone and '"path:../.."' in text

    def evaluate(self, attribute: str, apply: str | None = None) -> Any:
        """Return the value of one of the kernel's attributes."""
        if self.targets:
            of_these = f"(f {nix_list(self.targets)}).{attribute}"
            apply = f"f: ({apply or 'value: value'}) {of_these}"
            attribute = "forTargets"
        reference, place = self.reference(attribute)
        try:
            return nix.evaluate(reference, apply, place)
        except NixError as error:
            raise self._explain(error, attribute) from None

    def warn_of_untracked(self) -> None:
        """Warn of files that a build would not see, as Nix reads a folder in git through git."""
        if not self.has_flake or find_git_root(self.folder) is None:
            return
        files = list_untracked(self.folder)
        if files:
            shown = files if len(files) <= UNTRACKED_SHOWN else ["."]
            count = "1 file" if len(files) == 1 else f"{len(files)} files"
            command = join(["git", "-C", str(self.folder), "add", "-N", "--", *shown])
            complain("warning", f"git does not track {count}, so the build lacks them: {command}")

    def _expression(self) -> str:
        library = f"(import {nix_path(find_root())}).lib.${{builtins.currentSystem}}"
        return f"{library}.kernelOutputs {nix_path(self.folder)}"

    def locate(self, problem: Problem, *, is_of_file: bool = False) -> Problem:
        """Return a problem with the real path, the line and the column of the key that it names.

        `is_of_file` says that it is one of build.toml, even if the key does not stand there.
        """
        return locate(problem, self.folder, self._places, is_of_file=is_of_file)

    @cached_property
    def _places(self) -> dict[str, Place]:
        return find_places(self._text)

    def _explain(self, error: NixError, attribute: str) -> KernelBuilderError:
        """Add facts that Nix does not know: lines, files that git hides, a foreign flake."""
        text = error.headline
        problems = parse_problems(text)
        headline = _COUNT.sub("", text.split("\n", 1)[0]) if problems else text
        is_of_file = _OF_FILE.search(headline) is not None
        headline = _OF_FILE.sub(lambda _: f"{show(self.folder.name)}/build.toml", headline)
        problems = [self.locate(each, is_of_file=is_of_file) for each in problems]
        if hidden := self._hidden_files(text):
            # The library can only guess that git does not know a file.
            guesses = [f"`git add -N {quote(name)}`" for name in hidden]
            others = [each for each in problems if not any(guess in each.fix for guess in guesses)]
            before = "" if "flake.nix" in hidden else f"{headline}\n\n"
            headline = f"{before}Nix does not see all files"
            return KernelBuilderError(headline, [*others, _untracked(self.folder, hidden)])
        if problems:
            return KernelBuilderError(headline, problems)
        if "does not provide attribute" in text and attribute in text:
            problem = Problem(
                at=str(self.folder / "flake.nix"),
                found=f"no output `{attribute}`",
                want="the outputs of genKernelFlakeOutputs",
                fix="let outputs call genKernelFlakeOutputs, or update the kernel-builder input",
            )
            return KernelBuilderError("this flake is not a kernel's", [problem])
        return error

    def _hidden_files(self, text: str) -> list[str]:
        """Return the untracked files that can be behind an error, as seen from the kernel."""
        root = find_git_root(self.folder)
        if root is None or not self.has_flake:
            return []
        place = self.folder.relative_to(root)
        own = [(place / name).as_posix() for name in ("flake.nix", "build.toml")]
        untracked = list_untracked(root)
        hidden = [file for file in own if file in untracked]
        hidden += [
            file for file in untracked if file not in hidden and _is_named(file, place, text)
        ]
        shown = [os.path.relpath(file, place) for file in hidden]
        return [f"./{file}" if file.startswith("-") else file for file in shown]


def _require_json(file: Path) -> None:
    """Refuse a flake.lock that is cut or has git's conflict marks: Nix would not name the file."""
    if not file.is_file():
        return
    content = read_file(file.resolve())
    try:
        json.loads(content)
    except (ValueError, RecursionError) as error:
        found = "conflict marks of git" if b"<<<<<<<" in content else str(error)
        problem = Problem(
            at=str(file),
            found=found,
            want="the JSON that Nix wrote",
            fix="git checkout HEAD -- flake.lock; or delete it, and write it anew: nix flake lock",
            file=str(file),
        )
        raise KernelBuilderError("flake.lock is damaged", [problem]) from None


def open_kernel(folder: Path, targets: Sequence[str] = (), system: str | None = None) -> Kernel:
    """Return the kernel in a folder, as one of others if --untrusted says so."""
    if not current_settings().untrusted:
        return Kernel(folder, targets, system)
    from kernel_builder.kernel.untrusted import UntrustedKernel

    return UntrustedKernel(folder, targets, system)


def _check_links(folder: Path) -> None:
    """Refuse links that lead out of a folder without a flake: Nix would follow them anywhere.

    What Nix or Python made there is none of the kernel's.
    """
    problems = []
    for place, folders, files in os.walk(folder):
        own = [name for name in folders if not name.startswith(".")]
        folders[:] = [name for name in own if not Path(place, name, "pyvenv.cfg").is_file()]
        for path in (Path(place, name) for name in (*folders, *files)):
            if not path.is_symlink() or not path.exists():
                continue
            leads_to = path.resolve()
            if not {folder, Path(DEFAULT_STORE)} & {leads_to, *leads_to.parents}:
                problem = Problem(
                    at=str(path.relative_to(folder)),
                    found=f"a link to {leads_to}",
                    want="files of the kernel: there is no flake.nix, so a build would read it",
                    fix="put the file or folder itself there, or write a flake.nix",
                )
                problems.append(problem)
    if problems:
        raise KernelBuilderError(f"links lead out of {folder}", problems)


def refer_to_flake(folder: Path) -> tuple[str, Path | None]:
    """Return the flake reference of a folder, and the folder to start Nix in if that matters.

    An address with escapes would do for any folder, but older versions of Nix read them wrongly.
    """
    root = find_git_root(folder)
    if is_plain(folder):
        return (str(folder) if root else f"path:{folder}"), None
    if root is None:
        return "path:.", folder
    relative = nix.version() < nix.READS_ESCAPES
    return git_reference(root, folder.relative_to(root), relative=relative), root


def _is_named(file: str, place: Path, text: str) -> bool:
    """Return whether an error names a file, or a folder above it without tracked files.

    As a path or in quotes: a name alone may be a word of the sentence.
    """
    words = {file, os.path.relpath(file, place), *map(str, PurePosixPath(file).parents)} - {"."}
    pattern = "|".join(re.escape(word) for word in sorted(words))
    return re.search(rf"[/\"']({pattern})(?![\w./-])", text) is not None


def _untracked(folder: Path, files: Sequence[str]) -> Problem:
    return Problem(
        at=str(folder),
        found="files that git does not track yet: " + ", ".join(map(show, files)),
        want="tracked files, since Nix reads a folder in git through git",
        fix=f"git add -N {join(files)}",
    )


def _find_kernel(folder: Path) -> Path:
    """Return the nearest folder with a build.toml: this one, or one above it.

    Only one of the same owner counts, and none above a git repository: anybody may put a
    build.toml into a folder such as /tmp, and its flake would be evaluated.
    """
    if not folder.is_dir():
        found = "a file" if folder.exists() else "nothing"
        problem = Problem(show(folder), found, "a kernel's folder", "correct the path")
        raise KernelBuilderError(f"{show(folder)} is not a folder", [problem])
    start = folder.resolve()
    for up in (start, *start.parents):
        file = up / "build.toml"
        if file.is_file() and (up == start or file.stat().st_uid == start.stat().st_uid):
            if up != start:
                say(f"the kernel's folder is {show(up)}")
            return up
        if (up / ".git").exists():
            break
    below = sorted(start.glob("*/build.toml"))
    fix = "give the folder of a kernel, or write a build.toml (see docs/)"
    if below:
        fix = "give a kernel's folder: " + ", ".join(str(file.parent) for file in below[:5])
    raise KernelBuilderError(
        f"{show(start)} is not a kernel",
        [Problem(at=show(start), found="no build.toml", want="a kernel's build.toml", fix=fix)],
    )
