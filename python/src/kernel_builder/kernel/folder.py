"""Recognize a kernel's folder, and evaluate it with Nix."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock
from typing import Any, Final
from urllib.parse import quote

from kernel_builder import nix
from kernel_builder.kernel import flakes
from kernel_builder.kernel.build_toml import find_flag, find_line, read_build_toml
from kernel_builder.kernel.builder import find_root
from kernel_builder.kernel.hidden_files import explain_failure, explain_hidden, explain_problems
from kernel_builder.machine.files import copy_regular, is_file, read_file, require_size
from kernel_builder.machine.git import find_git_root, list_large, list_untracked
from kernel_builder.messages.errors import KernelBuilderError, Problem, read_error, shorten
from kernel_builder.messages.names import join, show
from kernel_builder.messages.terminal import complain, say
from kernel_builder.nix.derivations import is_result
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import is_plain, nix_list, nix_path, nix_string

MAX_FOLDER_BYTES: Final = 2 * 2**30
# Nix takes about a second for as many.
LARGE_FILE_BYTES: Final = 100 * 10**6
# The number of untracked files and of links that messages name.
NAMES_SHOWN: Final = 5
# Folders that `build-and-copy` and CMake write.
OUTPUTS: Final = ("build", "build-ext")

# Nix adds a new flake.lock to the index of git, which one process at a time can write.
_WRITE_LOCK: Final = Lock()

# The library's name of the file, whose folder it may not know.
_OF_FILE: Final = re.compile(r"^\S*build\.toml(?= cannot be built)")
# A file in a tree of the store.
_STORED: Final = re.compile(r"/nix/store/[0-9a-z]{32}-[^/\s]+/+([^\s:'\"]+)")
# The flag that a line of advice is about; one to write in its place stands before it.
_FLAG: Final = re.compile(r'(?m)^.*"(-[^"\n]+)"')
# A compiler's line about an error, or a check's about a file: its path, line and column.
_PLACE: Final = re.compile(
    r"(?m)^([^\s:()][^:()\n]*)(?::(\d{1,9})(?::(\d{1,9}))?|\((\d{1,9})\))(?:: (?:\w+ )?error\b|$)"
)
# The path of a file, and the number of a line in it.
_PATH: Final = re.compile(r"^([^:]*):?([0-9]{0,9})")


class Kernel:
    """A folder with a `build.toml`, with or without a flake around it.

    `targets` narrow the targets that `build.toml` lists, `system` is the one to build for if it is
    not this machine's.
    """

    # Notes about wishes of the kernel that a build does not follow.
    notes: Sequence[str] = ()
    _temporary: TemporaryDirectory[str] | None = None
    # Releases of Torch that cannot be had by variants that others can build, in Nix.
    _lacking = ""

    def __init__(
        self, folder: Path, targets: Sequence[str] = (), system: str | None = None
    ) -> None:
        # Nix may read a copy of the folder.
        self.folder = self._files = self._find_folder(folder)
        self.flake, self._prefix = self._find_flake()
        self.targets = targets
        self._outputs = f"cross.{system}." if system else ""
        self._text, self._data = read_build_toml(self.folder)
        self._is_in_git = self.flake is not None and find_git_root(self.folder) is not None
        if self.flake:
            flakes.read_lock(self.flake)
        if self.flake and not self._is_in_git:
            # Nix copies such a folder into the store as a whole, for every command.
            fix = "remove large files, or `git init && git add .`: then only tracked files are read"
            require_size(self.folder, MAX_FOLDER_BYTES, fix)
        if not self.flake:
            self._take_files(self.folder)

    def _take_files(self, folder: Path) -> None:
        """Copy the files of a kernel without a flake: Nix would follow its links anywhere."""
        self._temporary = TemporaryDirectory(prefix="kernel-builder-")
        # The name that Nix gives the files of a flake.
        self._files = Path(self._temporary.name).resolve() / "source"
        special = copy_regular(folder, self._files, MAX_FOLDER_BYTES, self._is_no_part)
        self.notes = note_left_out(special)

    def _is_no_part(self, path: Path) -> bool:
        """Return whether a path is left out of a kernel without a flake, and nobody misses it.

        At the top, these are hidden files, folders that commands write, and links to builds;
        anywhere, virtual environments and `.git`.
        """
        is_output = path.name in OUTPUTS or path.name[0] == "." or is_result(path)
        is_top = path.parent == self.folder
        return (is_top and is_output) or path.name == ".git" or (path / "pyvenv.cfg").is_file()

    def close(self) -> None:
        """Remove temporary files, as another program is about to replace this one."""
        if self._temporary:
            self._temporary.cleanup()

    def _find_folder(self, folder: Path) -> Path:
        return find_kernel(folder)

    def _find_flake(self) -> tuple[Path | None, str]:
        """Return the flake of the kernel, and what the names of the kernel's outputs begin with.

        The kernel's folder is the flake, or a folder above it in the same repository has a flake
        for several kernels (genKernelsFlakeOutputs).
        """
        if (self.folder / "flake.nix").is_file():
            return self.folder, ""
        root = find_git_root(self.folder)
        for up in (each for each in self.folder.parents if root and each.is_relative_to(root)):
            if (up / "flake.nix").is_file() and flakes.provides_kernel(up, self.folder):
                # Nix decodes the name of an output as it decodes addresses.
                return up, f"{quote(nix_string(self.folder.name), errors='surrogateescape')}."
        return None, ""

    def is_at(self, place: str) -> bool:
        """Return whether this is the folder at a `place` that the outputs of its flake state."""
        return self.flake is None or flakes.locate_in(self.flake, place) == self.folder

    def _refer_to(self, path: str) -> tuple[list[str], Path | None]:
        """Return the arguments of `nix eval` for an output, and the folder to start it in."""
        if not self.flake:
            library = f"(import {nix_path(find_root())}).lib.${{builtins.currentSystem}}"
            output = f"({library}.kernelOutputs {nix_path(self._files)}).{path}"
            return ["--impure", "--expr", output], None
        flake, place = flakes.refer_to_flake(self.flake)
        outside = flakes.find_inputs_outside(self.flake)
        # A lock would hold an example to the state that its repository has today, and Nix writes
        # through a link.
        is_link = (self.flake / flakes.LOCK).is_symlink()
        options = ["--no-write-lock-file"] if outside or is_link else []
        # Without git Nix reads the flake's folder alone.
        for name, target in outside.items() if find_git_root(self.flake) is None else ():
            if is_plain(target) and (target / "flake.nix").is_file():
                options += ["--override-input", name, f"path:{target}"]
        return [f"{flake}#{self._prefix}{path}", *options], place

    def evaluate(self, attribute: str, apply: str | None = None) -> Any:
        """Return the value of one of the kernel's attributes."""
        targets = nix_list(self.targets) if self.targets else ""
        for name, value in (("forTargets", targets), ("withoutTorch", self._lacking)):
            if value:
                apply = f"f: ({apply or 'value: value'}) (f {value}).{attribute}"
                attribute = name
        reference, place = self._refer_to(f"{self._outputs}{attribute}")
        has_lock = self.flake is None or (self.flake / flakes.LOCK).exists()
        try:
            with nullcontext() if has_lock or "--no-write-lock-file" in reference else _WRITE_LOCK:
                return nix.evaluate(reference, apply, place)
        except NixError as error:
            raise self._explain(error) from None

    def avoid(self, refused: Collection[str], variants: Iterable[Mapping[str, Any]]) -> bool:
        """Let variants be built with a Torch whose wheel is not among the sources `refused`.

        Return whether that changes a variant. Those that several releases can build list them.
        """
        lacking = ""
        for each in variants:
            releases = each.get("torches", ())
            lost = [it["torch"] for it in releases if it["wheel"] in refused]
            if lost and len(lost) < len(releases):
                lacking += f"{nix_string(each['name'])} = {nix_list(lost)}; "
        before, self._lacking = self._lacking, lacking and f"{{ {lacking}}}"
        return self._lacking != before

    def warn_of_notes(self) -> None:
        """Warn of what is not done as the kernel asks for, where there is no table to say it."""
        for note in self.notes:
            complain("warning", f"{show(self.folder.name)}: {note}")

    def find_unseen(self, included: Sequence[str] = ()) -> list[Problem]:
        """Return problems of files that git hides from Nix, so that a build lacks them.

        So are large files that Nix copies. Those without a place are texts. Sources may include
        the files `included`.
        """
        files = list_untracked(self.folder) if self._is_in_git else []
        files = [each for each in files if not is_result(self.folder / each)]
        shown = files if len(files) <= NAMES_SHOWN else ["."]
        count = "1 file" if len(files) == 1 else f"{len(files)} files"
        command = join(["git", "-C", str(self.folder), "add", "-N", "--", *shown])
        text = f"git does not track {count}, so the build lacks them: {command}"
        there = [each for each in included if self._is_in_git and is_file(self.folder / each)]
        hidden = explain_hidden(self.folder, there).items()
        want = "a file that Nix reads, because a source may include it"
        found = [Problem(str(self.folder / name), why, want, fix) for name, (why, fix) in hidden]
        large = list_large(self.folder, LARGE_FILE_BYTES) if self._is_in_git else {}
        for name, size in large.items():
            why = f"a file of {size / 1e6:.0f} MB that git tracks: Nix copies it for each command"
            fix = f"git rm --cached -- {join([name])}, and fetch it where it is needed"
            found.append(Problem(str(self.folder / name), why, "files below 100 MB", fix))
        file = str(self.folder / files[0]) if len(files) == 1 else ""
        return [Problem("", text, "", "", file), *found] if files else found

    def explain_failure(self, problem: Problem) -> Problem:
        """Return the problem of a step that failed, with what its text cannot know.

        That is the place as data, the reason if Nix does not see a file, and the lines of flags
        that the advice names.
        """
        explained = explain_failure(self.folder, problem, in_git=self._is_in_git)
        for name, line, column, other in _PLACE.findall(f"{problem.found}\n{problem.at}"):
            if is_file(file := self.folder / name):
                number = int(line or other)
                explained = replace(explained, file=str(file), line=number, column=int(column or 0))
                break
        keys = [key for flag in _FLAG.findall(problem.fix) for key in find_flag(self._data, flag)]
        if not keys:
            return explained
        places = [self.locate(Problem(key, "", "", "")) for key in dict.fromkeys(keys)]
        at = "\n".join([explained.at, *(each.at for each in places)])
        return replace(explained, at=at, file=places[0].file, line=places[0].line)

    def locate(self, problem: Problem, *, is_of_file: bool = False) -> Problem:
        """Return a problem with the path of its file, and with the line if it is known.

        `at` is a key of build.toml, an argument in flake.nix, or a file with or without a line;
        `is_of_file` says that a key that is not there belongs to build.toml, too.
        """
        is_path = "/" in problem.at and '"' not in problem.at
        if is_path or problem.at == "build.toml":
            name, number = _PATH.findall(problem.at)[0]
            at, file = str(self.folder / problem.at), str(self.folder / name)
            return replace(problem, at=at, file=file, line=int(number or 0))
        line, file = find_line(self._text, problem.at), str(self.folder / "build.toml")
        name = re.match(r"\w+", problem.at)
        if not line and not is_of_file and self.flake and name:
            # An argument of the function that flake.nix calls.
            file = str(self.flake / "flake.nix")
            lines = read_file(Path(file)).decode(errors="replace").split("\n")
            given = re.compile(rf"(?:[^#]*[\s;{{])?{name[0]}\s*=(?!=)")
            line = next((at for at, it in enumerate(lines, 1) if given.match(it)), 0)
        if not line and not is_of_file:
            return problem
        at = f"{file}:{line}" if line else file
        return replace(problem, at=f"{at}: {problem.at}", file=file, line=line)

    def _explain(self, error: NixError) -> KernelBuilderError:
        """Add facts that Nix does not know: the lines of keys, and files that git hides."""
        text = self._show_own_files(error.headline).replace(str(self._files), str(self.folder))
        known = read_error(text, text)
        is_of_file = _OF_FILE.search(known.headline) is not None
        headline = _OF_FILE.sub(lambda _: f"{show(self.folder.name)}/build.toml", known.headline)
        problems = [self.locate(each, is_of_file=is_of_file) for each in known.problems]
        if self._is_in_git:
            problems = explain_problems(self.folder, error.headline, problems)
        return KernelBuilderError(headline, problems) if problems else NixError(text)

    def _show_own_files(self, text: str) -> str:
        """Return a message with the user's path of each file that Nix has read a copy of."""
        root = self.flake and (find_git_root(self.flake) or self.flake)

        def show_own(found: re.Match[str]) -> str:
            # Another flake's tree has a file of this name, too, with another content.
            with suppress(OSError, KernelBuilderError):
                if root and read_file(Path(found[0])) == read_file(root / found[1]):
                    return str(root / found[1])
            return found[0]

        return _STORED.sub(show_own, text)


def note_left_out(paths: Sequence[str]) -> list[str]:
    """Return a note on paths of a kernel that no build sees, if there are some."""
    listed = ", ".join(shorten([show(each) for each in paths], NAMES_SHOWN))
    return [f"links and files of other kinds are left out: {listed}"] if paths else []


def find_kernel(folder: Path) -> Path:
    """Return the nearest folder with a build.toml: this one, or one above it.

    Only one of the same owner counts, and none above a git repository: anybody may put a
    build.toml into a folder such as /tmp, and its flake would be evaluated.
    """
    start = folder.resolve()
    for up in (start, *start.parents):
        file = up / "build.toml"
        if file.is_file() and (up == start or file.stat().st_uid == start.stat().st_uid):
            if up != start:
                say(f"the kernel's folder is {show(up)}")
            return up
        if (up / ".git").exists() or not folder.is_dir():
            break
    files = [start, *start.glob("*/build.toml"), *start.glob("*/*/build.toml")]
    near = min((each.parent for each in files if each.name == "build.toml"), default=None)
    more = f"such as {join([str(near)])}" if near else "or write a build.toml (see docs/)"
    fix = f"give the folder of a kernel, {more}"
    problem = Problem(show(start), "no build.toml", "a kernel's build.toml", fix)
    raise KernelBuilderError(f"{show(start)} is not a kernel", [problem])
