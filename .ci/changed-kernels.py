"""Print the folders of kernels whose derivations differ from those of an earlier commit.

Run as `python3 -I -B changed-kernels.py REVISION FOLDER…`. A kernel that was not there, or cannot
be evaluated, is changed. Commits in the provenance do not count.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python" / "src"))

from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.several import attempt_each
from kernel_builder.machine.git import find_commit, find_git_root, run_git
from kernel_builder.messages.errors import KernelBuilderError, Problem

BUNDLE = "f: (f { names = [ ]; backends = [ ]; }).bundle.drv or null"


def check_out(source: Path, commit: str, clone: Path) -> str:
    """Clone a commit of the user's repository into an empty folder; return git's message if that fails.

    The clone has all of the history, since Nix refuses a shallow one.
    """
    words = ("clone", "--quiet", "--no-checkout", "--", str(source), ".")
    done = run_git(clone, *words, is_new=True, transports="file", seconds=1800.0)
    if done.status == 0:
        # No branch has the commit that a CI has checked out.
        run_git(clone, "fetch", "--quiet", "origin", commit, transports="file")
        done = run_git(clone, "checkout", "--quiet", "--detach", commit)
    return done.stderr.strip() if done.status else ""


@contextmanager
def check_out_earlier(
    folders: Iterable[Path], revision: str
) -> Iterator[Mapping[Path, Path]]:
    """Clone the repositories of these folders at a revision, until the block ends."""
    roots = {find_git_root(folder.resolve()): folder for folder in folders}
    clones: dict[Path, Path] = {}
    with TemporaryDirectory(prefix="kernel-builder-") as here:
        for number, (root, folder) in enumerate(roots.items()):
            commit = find_commit(root, revision) if root else None
            found = "no such revision" if root else f"{folder}, which is not in git"
            if root and commit:
                clones[root] = Path(here).resolve() / str(number)
                clones[root].mkdir()
                found = check_out(root, commit, clones[root])
                if not found:
                    continue
            want = "a commit that this repository has"
            fix = "correct it, or fetch the whole history: git fetch --unshallow"
            problem = Problem("CHANGED_SINCE", f'"{revision}": {found}', want, fix)
            raise KernelBuilderError(
                f"{root or folder} has nothing to compare with", [problem]
            )
        yield clones


def main(revision: str, *names: str) -> None:
    """Print the folders, one a line."""
    folders = [*map(Path, names)]
    with check_out_earlier(folders, revision) as clones:

        def find_bundles(folder: Path) -> tuple[object, object]:
            kernel = Kernel(folder)
            root = find_git_root(kernel.folder)
            earlier = (
                Kernel(clones[root] / kernel.folder.relative_to(root))
                if root
                else kernel
            )
            now, before = (
                one.evaluate("withoutCommits.manifestOf", BUNDLE)
                for one in (kernel, earlier)
            )
            return now, before

        outcomes = attempt_each(folders, find_bundles, "comparing")
    for name, outcome in zip(names, outcomes):
        if (
            isinstance(outcome, KernelBuilderError)
            or None in outcome
            or len({*outcome}) > 1
        ):
            print(name)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KernelBuilderError as error:
        sys.exit(f"error: {error}")
