"""The work of an author, as processes, in folders outside the repository."""

import os
import shutil
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.cli.command_line import Ran
from tests.evaluation import FEATURES, ROOT, SYSTEM, call, fetch
from tests.tiny_kernel import git


@dataclass
class Author:
    """Somebody with a clone of this repository and a folder of their own."""

    clone: Path
    folder: Path

    def kernel_builder(self, *words: str, cwd: Path | None = None, fails: bool = False) -> Ran:
        return self.run(sys.executable, "-m", "kernel_builder", *words, cwd=cwd, fails=fails)

    def nix(self, *words: str, cwd: Path | None = None, fails: bool = False) -> Ran:
        """Run Nix; the sources of what it runs or enters are there."""
        if words[0] in {"develop", "run"}:
            # `develop` means a shell where other commands mean a package.
            shell = f"#devShells.{SYSTEM}.default"
            fetch(words[1].replace("#default", shell), cwd=cwd or self.folder)
        return self.run("nix", *FEATURES, *words, cwd=cwd, fails=fails)

    def run(
        self, *argv: str, cwd: Path | None = None, fails: bool = False, text: str | None = None
    ) -> Ran:
        """Run a program in the author's folder, with `text` coming through a pipe."""
        environment = {
            **{name: value for name, value in os.environ.items() if name != "KERNEL_BUILDER_FLAKE"},
            "PYTHONPATH": str(self.clone / "python" / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            # The devices of the machine are not tested.
            "KERNEL_BUILDER_BACKEND": "cpu",
        }
        for _ in range(3):
            done = call(
                *argv,
                status=None,
                cwd=cwd or self.folder,
                env=environment,
                input=text,
                stdin=None if text is not None else subprocess.DEVNULL,
            )
            # `nix run` of Nix 2.8 now and then dies of a signal of its own before it runs anything.
            if done.returncode != -signal.SIGPIPE:
                break
        said = f"{done.returncode}: {' '.join(argv)}\n{done.stdout}{done.stderr}"
        assert (done.returncode != 0) == fails, said
        return Ran(done.returncode, done.stdout, done.stderr)

    def init(self, name: str, *words: str) -> Path:
        """Make a kernel that is built with the clone; return its folder."""
        address = f"git+file://{self.clone}"
        self.kernel_builder("init", "--name", f"me/{name}", *words, "--kernel-builder", address)
        return self.folder / name


def clone_repository(target: Path) -> Path:
    """Copy what git knows of the repository, as it is now, and make that a repository."""
    listed = call("git", "-C", ROOT, "ls-files", "-z")
    for name in filter(None, listed.stdout.split("\0")):
        source, copy = ROOT / name, target / name
        if source.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy, follow_symlinks=False)
    git(target, "init", "--quiet")
    git(target, "add", "--force", ".")
    git(target, "commit", "-qm", "clone")
    return target


def use_registries(kernel: Path) -> None:
    """Let a kernel's flake take only Torch builds that package registries carry."""
    flake = kernel / "flake.nix"
    own = "path = ./.;"
    few = f"{own}\n      torchVersions = _: kernel-builder.lib.torchVersions.fromRegistries;"
    flake.write_text(flake.read_text().replace(own, few))
