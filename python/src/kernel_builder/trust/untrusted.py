"""A kernel that is not yours: it is data, to which our own library is applied.

No Nix code of it is evaluated and none of its derivations is built. Its regular files are copied
into the store, without git and without following a link, and a kernel-builder that the user trusts
reads them there.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path

from kernel_builder import nix
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import require_folder
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.names import show
from kernel_builder.nix import Tree
from kernel_builder.nix.advisories import NEWER_NIX, find_advisory
from kernel_builder.nix.quoting import nix_string
from kernel_builder.nix.systems import find_system
from kernel_builder.settings import current_settings
from kernel_builder.trust.flake_text import FLAKE, LOCK, list_unapplied
from kernel_builder.trust.trusted_builder import choose_builder


class UntrustedKernel(Kernel):
    """A kernel that may be anybody's.

    `root` is a folder into which this program wrote files of `commit`. Without them the folder is
    read as it lies there, and its commit stays unknown. `is_own` says that the commit is one of the
    user's tree. `builder` is the kernel-builder whose library is applied.
    """

    def __init__(
        self,
        folder: Path,
        targets: Sequence[str] = (),
        system: str | None = None,
        root: Path | None = None,
        commit: str = "",
        *,
        is_own: bool = False,
    ) -> None:
        self._root, self._commit, self._is_own = root, commit, is_own
        super().__init__(folder, targets, system)
        self.builder, notes = choose_builder(_find_nearest(self.folder, LOCK, root))
        unapplied = list_unapplied(_find_nearest(self.folder, FLAKE, root))
        self.notes = [*notes, *unapplied, *self.notes]

    def _take_files(self, folder: Path) -> None:
        """Put the regular files into the store."""
        _require_boundary(is_own=self._is_own)
        super()._take_files(folder)
        digest = nix.hash_folder(self._files)
        self._tree = Tree(nix.add_files([self._files]), digest, self._commit)
        self.close()

    def _is_no_part(self, path: Path) -> bool:
        # The content of a folder has no .git.
        return path.name == ".git"

    def _find_folder(self, folder: Path) -> Path:
        """Return the folder itself: nothing above it is read."""
        if not folder.is_symlink():
            folder = folder.resolve()
        if not os.path.lexists(folder / "build.toml"):
            problem = Problem(show(folder), "no build.toml", "a kernel's build.toml", "correct it")
            raise KernelBuilderError(f"{show(folder)} is not a kernel", [problem])
        require_folder(folder)
        return folder

    def _find_flake(self) -> tuple[Path | None, str]:
        return None, ""

    def explain_failure(self, problem: Problem) -> Problem:
        """Return the problem as it is: a reason would be looked for in the folder."""
        return problem

    def _refer_to(self, path: str) -> tuple[list[str], Path | None]:
        function = Path(__file__).with_name("untrusted.nix").read_text(encoding="utf-8")
        trees = {"builder": self.builder.tree, "kernel": self._tree}
        arguments = {
            name: {"path": tree.path, "narHash": tree.digest, "commit": tree.commit}
            for name, tree in trees.items()
        }
        given = nix_string(json.dumps({**arguments, "system": find_system()}))
        options = {
            "pure-eval": "true",
            "restrict-eval": "true",
            # Newer versions of Nix compare with an address that has the hash behind the path.
            "allowed-uris": f"path:{Path(self._tree.path).parent}/",
        }
        words = [word for pair in options.items() for word in ("--option", *pair)]
        outputs = f"({function}) (builtins.fromJSON {given})"
        return ["--expr", f"({outputs}).{path}", *words], None


def _require_boundary(*, is_own: bool) -> None:
    """Raise KernelBuilderError unless Nix builds in its sandbox alone and has no known hole.

    `build` gives the user's own tree all rights that a hole would, so that one does not count.
    """
    release, accepted = nix.release(), is_own or current_settings().allow_vulnerable
    if not accepted and (advisory := find_advisory(release)):
        found = f"{release}, which has {advisory}"
        want = "a Nix without known holes, to build what is not yours"
        fix = f"{NEWER_NIX};\nor accept the risk: --allow-vulnerable-nix"
        problem = Problem("nix --version", found, want, fix)
        raise KernelBuilderError("this Nix is no boundary for kernels of others", [problem])
    if not nix.has_sandbox():
        found = "sandbox is not true, or sandbox-fallback is"
        fix = "set sandbox = true and sandbox-fallback = false in nix.conf (./install.sh does)"
        problem = Problem("nix.conf", found, "builds in the sandbox or none", fix)
        raise KernelBuilderError("a kernel of others is built in the sandbox alone", [problem])


def _find_nearest(folder: Path, name: str, root: Path | None) -> Path:
    """Return the folder of a file: this one, or one above it that is of the same commit."""
    ups = [up for up in folder.parents if root in (up, *up.parents)] if root else []
    return next((up for up in (folder, *ups) if os.path.lexists(up / name)), folder)
