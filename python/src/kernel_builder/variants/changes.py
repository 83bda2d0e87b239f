"""Compares kernels with what an earlier commit of their repository builds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.git import check_out, find_commit, find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError

# The clone of each repository.
Clones = Mapping[Path, Path]


@contextmanager
def check_out_earlier(folders: Iterable[Path], revision: str) -> Iterator[Clones]:
    """Clone the repositories of these folders at a revision, until the block ends.

    Raises UsageError if a folder is not in git, or if its repository has no such revision.
    """
    roots = {find_git_root(folder.resolve()): folder for folder in folders}
    clones: dict[Path, Path] = {}
    with TemporaryDirectory(prefix="kernel-builder-") as here:
        for number, (root, folder) in enumerate(roots.items()):
            commit = find_commit(root, revision) if root else None
            found = "no such revision" if root else f"{folder}, which is not in git"
            if root and commit:
                clones[root] = Path(here).resolve() / str(number)
                clones[root].mkdir()
                found = check_out(str(root), commit, clones[root])
                if not found:
                    continue
            want = "a commit that this repository has"
            fix = "correct it, or fetch the whole history: git fetch --unshallow"
            problem = Problem("--changed-since", f'"{revision}": {found}', want, fix)
            raise UsageError(f"{root or folder} has nothing to compare with", [problem])
        yield clones


def is_changed(kernel: Kernel, requested: str, clones: Clones) -> bool:
    """Return whether the derivations of a kernel differ from those of the earlier commit.

    `requested` is the function that is applied to `manifestOf`. Commits in the provenance do not
    count. A kernel that was not there, or could not be evaluated, is changed.
    """

    def find_bundle(one: Kernel) -> object:
        return one.evaluate("withoutCommits.manifestOf", f"f: (({requested}) f).bundle.drv or null")

    root = find_git_root(kernel.folder)
    earlier = clones.get(root) if root else None
    if root and earlier:
        with suppress(KernelBuilderError):
            place = earlier / kernel.folder.relative_to(root)
            bundle = find_bundle(kernel)
            return bundle is None or find_bundle(kernel.at(place)) != bundle
    return True
