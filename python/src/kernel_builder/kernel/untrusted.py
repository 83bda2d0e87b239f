"""A kernel that is not yours: its flake is evaluated from its own files and its lock alone.

Nix reads neither the configuration nor the registry for it, writes nothing into its folder, and
starts no git there. What its derivations ask for is checked before anything is built.
"""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from kernel_builder import nix
from kernel_builder.kernel.flake_lock import FILE, read_lock
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import require_folder
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.nix.confinement import require_fixed
from kernel_builder.nix.errors import NixError
from kernel_builder.nix.quoting import nix_list, nix_string
from kernel_builder.settings import current_settings

BUILDER: Final = "kernel-builder"
# Far below the length of a word of a command line.
WORD: Final = 100_000
_LEFT: Final = re.compile(r"NAR hash mismatch in input '([^']*)' \((/nix/store/[^)/]+)\)")
_LACKS_INPUT: Final = re.compile(r"called without required argument '([^']*)'")


class UntrustedKernel(Kernel):
    """A kernel whose flake may be anybody's.

    `root` is a clone that this program made, and `commit` the one of it that is evaluated. Without
    them the folder is read as it lies there, and its commit stays unknown.
    """

    _how_to_shrink = "remove large files: all files of the folder are read, also those of .git"

    def __init__(
        self,
        folder: Path,
        targets: Sequence[str] = (),
        system: str | None = None,
        root: Path | None = None,
        commit: str = "",
    ) -> None:
        if not folder.is_symlink():
            folder = folder.resolve() if folder.exists() else folder
            require_folder(folder)
        self._root = root
        super().__init__(folder, targets, system)
        if self.flake != self.folder:
            fix = "read the folder, and leave --untrusted out if you trust it"
            problem = Problem(str(folder), "no flake.nix", "a flake", fix)
            headline = "a folder without a flake can be read only as yours"
            raise KernelBuilderError(headline, [problem])
        if not current_settings().allow_vulnerable:
            require_fixed(nix.release())
        if not nix.has_sandbox() or nix.has_fallback():
            found = "sandbox is not true, or sandbox-fallback is"
            fix = "set sandbox = true and sandbox-fallback = false in nix.conf (./install.sh does)"
            problem = Problem("nix.conf", found, "builds in the sandbox or none", fix)
            raise KernelBuilderError("a kernel of others is built in the sandbox alone", [problem])
        self._directory, addresses = "", [f"path:{self.folder}"]
        if root:
            directory = self.folder.relative_to(root).as_posix()
            self._directory = "" if directory == "." else directory
            address = f"file://{root}"
            addresses = [address, f"git+{address}"]
            self._source = {"type": "git", "url": address, "rev": commit}
        else:
            digest = nix.hash_folder(self.folder)
            self._source = {"type": "path", "path": str(self.folder), "narHash": digest}
        self._allowed = [*addresses, *sorted(_list_addresses(self.lock))]

    def _find_flake(self) -> tuple[Path | None, str]:
        """Return the folder itself: nothing above it is read."""
        return (self.folder if (self.folder / "flake.nix").is_file() else None), ""

    def _is_read_by_git(self) -> bool:
        return self._root is not None

    def _check_lock(self) -> None:
        self.lock = read_lock(self.folder)

    def _evaluate(self, path: str, apply: str | None = None) -> Any:
        return self._ask(f"select {nix_list(path.split('.'))}", apply)

    def find_builder(self, derivations: Mapping[str, str]) -> dict[str, Any] | None:
        """Return `locked`, `rev`, `narHash` of a kernel-builder that alone made these derivations.

        It is called once more, with the kernel's files and nothing of its flake.nix: only if that
        gives the same derivations did nothing else have a part in them.
        """
        with suppress(NixError):
            found: dict[str, Any] = self._ask(f"rebuild {nix_list(derivations)}")
            if found.pop("derivations") == derivations:
                return found
        return None

    def _ask(self, question: str, apply: str | None = None) -> Any:
        function = Path(__file__).with_name("call_flake.nix").read_text(encoding="utf-8")
        arguments = {
            "lock": self.lock,
            "source": self._source,
            "directory": self._directory,
            "system": find_system(),
        }
        # A word of a command line is limited to 128 KiB.
        text = json.dumps(arguments)
        parts = [text[at : at + WORD] for at in range(0, len(text), WORD)]
        names = [f"part{number}" for number in range(len(parts))]
        given = f"builtins.fromJSON ({' + '.join(names)})"
        called = "given // { source = builtins.fetchTree given.source; }"
        answer = f"let given = {given}; in (({function}) ({called})).{question}"
        expression = f"{{ {', '.join(names)} }}: {{ answer = {answer}; }}"
        options = {
            "pure-eval": "true",
            # Nix 2.8 lets a pure evaluation read local repositories by commit, and files by hash.
            "restrict-eval": "true",
            "allowed-uris": " ".join(self._allowed),
            "allow-import-from-derivation": "false",
            "accept-flake-config": "false",
        }
        words = [word for pair in options.items() for word in ("--option", *pair)]
        words += [word for pair in zip(names, parts) for word in ("--argstr", *pair)]
        try:
            return nix.evaluate(["--expr", expression, "answer", *words], apply)
        except NixError as error:
            # Nix copies a folder before it compares its hash; who knew the hash knew the content.
            left = dict(_LEFT.findall(str(error)))
            nix.delete_paths(left.values())
            if left:
                found, want = "\n".join(left), "files of the flake and of its lock"
                problem = Problem("the flake", found, want, "do not use this kernel")
                headline = "the flake reads folders of this machine"
                raise KernelBuilderError(headline, [problem]) from None
            if lacking := _LACKS_INPUT.search(str(error)):
                fix = "ask who publishes it to commit flake.lock"
                problem = Problem(FILE, f"no input {lacking[1]!r}", "every input of flake.nix", fix)
                raise KernelBuilderError("the flake is not locked", [problem]) from None
            raise


def find_hash(locked: Mapping[str, Any]) -> str:
    """Return the narHash of the tree behind a locked reference, which is fetched."""
    attributes = {key: value for key, value in locked.items() if key not in ("narHash", "dir")}
    tree = f"builtins.fetchTree (builtins.fromJSON {nix_string(json.dumps(attributes))})"
    return str(nix.evaluate(["--impure", "--expr", f"({tree}).narHash"]))


def find_system() -> str:
    """Return the system of this machine by Nix's name for it."""
    return f"{platform.machine().replace('arm64', 'aarch64')}-{platform.system().lower()}"


def _list_addresses(lock: Mapping[str, Any]) -> set[str]:
    """Return what the inputs of a lock begin with, as `allowed-uris` takes it."""
    found = set()
    for node in lock["nodes"].values():
        locked = node.get("locked", {})
        if "url" in locked:
            found |= {locked["url"], f"{locked['type']}+{locked['url']}"}
        elif locked:
            found.add(f"{locked['type']}:{locked['owner']}/")
    return found
