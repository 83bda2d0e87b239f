"""Machines of a team, which are stores in folders, and a binary cache in a folder."""

import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.command_line import Cli, Ran
from tests.evaluation import SYSTEM, call

# The most seconds of a command: five machines share one.
SECONDS = 600
# A builder at localhost is started without ssh. This is read for each request, with its settings.
ENTRY = """#!/bin/sh
{settings}
exec nix-daemon "$@"
"""


@dataclass
class Machine:
    """A store in a folder, and what the settings of its Nix are."""

    name: str
    folder: Path
    variables: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.root = self.folder / self.name
        self.root.mkdir()
        self.store = f"local?root={self.root}"
        # Its builds find this as /shared, say there that they have started, and wait.
        self.shared = self.root / "shared"
        self.shared.mkdir()
        # Also for the users that builds have of their own.
        self.shared.chmod(0o777)
        self.environment = {
            "NIX_REMOTE": self.store,
            "NIX_CONFIG": "",
            "XDG_CACHE_HOME": str(self.root / "cache"),
            "XDG_STATE_HOME": str(self.root / "state"),
            **self.variables,
        }
        # An installer does this, too: two commands that create one store at once can fail.
        self.run("nix-store", "--init")

    def set(self, **settings: str) -> None:
        lines = [f"{name.replace('_', '-')} = {value}" for name, value in settings.items()]
        self.environment["NIX_CONFIG"] = "\n".join(lines)

    def serve(self) -> str:
        """Let other machines reach it as it is set now; return the address."""
        script = self.root / "serve.sh"
        lines = [f"export {name}='{value}'" for name, value in self.environment.items()]
        script.write_text(ENTRY.format(settings="\n".join(lines)))
        script.chmod(0o755)
        return f"ssh-ng://localhost?remote-program={script}"

    def share(self) -> None:
        """Let its builds see the folder."""
        self.set(extra_sandbox_paths=f"/shared={self.shared}")

    def begun(self) -> bool:
        """Say whether a build waits there."""
        return any(self.shared.glob("part*"))

    def go(self) -> None:
        """Let builds that wait go on, and later ones not wait."""
        (self.shared / "go").touch()

    def run(self, *argv: str) -> str:
        """Run a program of Nix that succeeds; return what it prints."""
        done = call(*argv, env={**os.environ, **self.environment})
        return done.stdout

    def cli(self, kernel: Path, *words: str) -> Ran:
        """Run kernel-builder there, beside the kernel."""
        return Cli(kernel.parent, self.environment, seconds=SECONDS)(*words)

    def build(self, kernel: Path, *options: str) -> tuple[dict[str, Any], str]:
        """Build a kernel; return the result as data, and what was said."""
        done = self.cli(kernel, "build", str(kernel), "--json", *options)
        assert done.status == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    def push(self, kernel: Path, url: str, *options: str) -> tuple[dict[str, Any], str]:
        """Push a kernel; return the result as data, and what was said."""
        done = self.cli(kernel, "push", url, str(kernel), "--json", *options)
        assert done.status == 0, done.stderr
        return json.loads(done.stdout), done.stderr

    def has(self, *paths: str) -> bool:
        """Say whether all of these are in its store."""
        environment = {**os.environ, **self.environment}
        argv = ("nix-store", "--check-validity", *paths)
        return call(*argv, status=None, env=environment).returncode == 0


def builders(*machines: Machine, system: str = SYSTEM) -> tuple[str, ...]:
    """Return the options that let machines build, one step at a time each, and nobody else."""
    lines = "; ".join(f"{each.serve()} {system} - 1 1" for each in machines)
    return ("--max-jobs", "0", "--option", "builders", lines)


class Cache:
    """The cache, and the key that what is in it is signed with."""

    def __init__(self, root: Path, url: str) -> None:
        self.root, self.url = root, url
        self.secret, self.public = make_key(root.parent, "team-1")

    @property
    def unsigned(self) -> str:
        """The address for files that nobody signs. Compressing takes more time than all else."""
        return f"file://{self.root}?compression=none"

    @property
    def signed(self) -> str:
        return f"{self.unsigned}&secret-key={self.secret}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings in nix.conf of a machine that takes from it."""
        return {"substituters": self.url, "trusted_public_keys": self.public}

    def names(self) -> dict[str, Path]:
        """Return the file that describes each path, by the name that the path has."""
        return self.names_in(self.root)

    @staticmethod
    def names_in(folder: Path) -> dict[str, Path]:
        """Return the same for any folder of a cache's files."""
        infos = {}
        for info in folder.glob("*.narinfo"):
            path = info.read_text().split("StorePath: ")[1].split("\n")[0]
            infos[path.split("-", 1)[1]] = info
        return infos

    def content(self, info: Path) -> Path:
        """Return the archive that such a file is about."""
        return self.root / info.read_text().split("URL: ")[1].split("\n")[0]


def make_key(folder: Path, name: str) -> tuple[Path, str]:
    """Make a key; return where the secret one is, and the public one."""
    secret, public = folder / f"{name}.secret", folder / f"{name}.public"
    argv = ["nix-store", "--generate-binary-cache-key", name, str(secret), str(public)]
    subprocess.run(argv, check=True)
    return secret, public.read_text().strip()
