"""A kernel's folder: is it one, and how does Nix evaluate it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from kernel_builder import nix
from kernel_builder.kernel import check_inputs
from kernel_builder.kernel.build_toml import check_text
from kernel_builder.kernel.repository import find_root, is_in_root
from kernel_builder.machine.git import find_git_root, list_untracked
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.derivations import DEFAULT_STORE
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import git_reference, is_plain, nix_list, nix_path


class Kernel:
    """A folder with a `build.toml`, with or without a flake around it.

    `targets` are what it is compiled for where that is less than what `build.toml` lists, `system`
    is the one to build for where it is not this machine's.
    """

    def __init__(
        self, folder: Path, targets: Sequence[str] = (), system: str | None = None
    ) -> None:
        if not folder.is_dir():
            found = "a file" if folder.exists() else "nothing"
            raise KernelBuilderError(
                f"{folder} is not a folder",
                [Problem(str(folder), found, "a kernel's folder", "correct the path")],
            )
        self.folder = folder.resolve()
        self.targets = targets
        self._outputs = f"cross.{system}." if system else ""
        if not (self.folder / "build.toml").is_file():
            raise _no_build_toml(self.folder)
        check_text(self.folder)

    @property
    def has_flake(self) -> bool:
        """Say whether the folder is a flake of its own."""
        return (self.folder / "flake.nix").is_file()

    def reference(self, attribute: str) -> tuple[list[str], Path | None]:
        """Return what makes `nix eval` read an attribute, and the folder to start it in."""
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
        """Say whether it is an example without its repository, such as one that is mounted."""
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

    def _expression(self) -> str:
        library = f"(import {nix_path(find_root())}).lib.${{builtins.currentSystem}}"
        return f"{library}.kernelOutputs {nix_path(self.folder)}"

    def _explain(self, error: NixError, attribute: str) -> KernelBuilderError:
        """Add what Nix cannot know: files that git hides from it, or a flake of something else."""
        text = error.headline
        hidden = self._hidden_files(text)
        if hidden:
            problem = Problem(
                at=str(self.folder),
                found="files that git does not track yet: " + ", ".join(hidden),
                want="tracked files, since Nix reads a folder in git through git",
                fix="git add -N " + " ".join(hidden),
            )
            own = [] if "flake.nix" in hidden else [text, ""]
            return KernelBuilderError("\n".join([*own, "Nix does not see all files"]), [problem])
        if "does not provide attribute" in text and attribute in text:
            problem = Problem(
                at=str(self.folder / "flake.nix"),
                found=f"no output `{attribute}`",
                want="the outputs of genKernelFlakeOutputs",
                fix="let outputs call genKernelFlakeOutputs, or update the kernel-builder input",
            )
            return KernelBuilderError("this flake is not a kernel's", [problem])
        return check_inputs.explain(text, self.folder) or error

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
        return [os.path.relpath(file, place) for file in hidden]


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
    """Return how Nix is told of a flake, and the folder to start it in if that matters.

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
    """Say whether an error names a file, or a folder above it that has no tracked file.

    As a path or in quotes: a name alone may be a word of the sentence.
    """
    words = {file, os.path.relpath(file, place), *map(str, PurePosixPath(file).parents)} - {"."}
    pattern = "|".join(re.escape(word) for word in sorted(words))
    return re.search(rf"[/\"']({pattern})(?![\w./-])", text) is not None


def _no_build_toml(folder: Path) -> KernelBuilderError:
    above = next((up for up in folder.parents if (up / "build.toml").is_file()), None)
    below = sorted(folder.glob("*/build.toml"))
    if above:
        fix = f"give the kernel's folder: {above}"
    elif below:
        fix = "give a kernel's folder: " + ", ".join(str(file.parent) for file in below[:5])
    else:
        fix = "give the folder of a kernel, or write a build.toml (see docs/)"
    return KernelBuilderError(
        f"{folder} is not a kernel",
        [Problem(at=str(folder), found="no build.toml", want="a kernel's build.toml", fix=fix)],
    )
