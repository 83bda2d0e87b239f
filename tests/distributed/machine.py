"""Machines that share this computer: a store of its own each, and an sshd that leads to them."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.cli.command_line import Cli, Ran
from tests.evaluation import SYSTEM

HERE = Path(__file__).parent
SECONDS_TO_START = 30
# The most seconds of a command: five machines share one.
SECONDS = 600
# sshd runs this for every request. Each machine has a file, so that it can be changed.
ENTRY = """#!/bin/sh
{line}
exec nix-daemon --stdio
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
        """Write its nix.conf."""
        lines = [f"{name.replace('_', '-')} = {value}" for name, value in settings.items()]
        self.environment["NIX_CONFIG"] = "\n".join(lines)

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
        done = subprocess.run(
            argv,
            env={**os.environ, **self.environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
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
        argv = ["nix-store", "--check-validity", *paths]
        environment = {**os.environ, **self.environment}
        return not subprocess.run(
            argv, env=environment, capture_output=True, check=False
        ).returncode


@dataclass
class Sshd:
    """A running sshd; each key that it knows leads to one machine."""

    folder: Path
    programs: Mapping[str, str]
    port: int

    def lead_to(self, machine: Machine) -> None:
        """Let ssh-ng://NAME be a machine."""
        lines = [f"export {name}='{value}'" for name, value in machine.environment.items()]
        lines += [f"export PATH='{os.environ['PATH']}'"]
        script = self.folder / f"{machine.name}.sh"
        script.write_text(ENTRY.format(line="\n".join(lines)))
        script.chmod(0o755)
        key = self.folder / machine.name
        if not key.exists():
            make_key(self.programs, key)
            known = self.folder / "authorized"
            with known.open("a") as file:
                file.write(f'command="{script}",restrict {key.with_suffix(".pub").read_text()}')
            with (self.folder / "client").open("a") as file:
                file.write(f"Host {machine.name}\n  IdentityFile {key}\n")

    def variables(self) -> dict[str, str]:
        """Return what makes Nix find the machines."""
        path = f"{Path(self.programs['ssh']).parent}:{os.environ['PATH']}"
        return {"NIX_SSHOPTS": f"-F {self.folder}/client", "PATH": path}


def make_key(programs: Mapping[str, str], file: Path) -> None:
    argv = [programs["ssh-keygen"], "-q", "-t", "ed25519", "-N", "", "-f", str(file)]
    subprocess.run(argv, check=True)


@contextmanager
def running_sshd(folder: Path, programs: Mapping[str, str], port: int) -> Iterator[Sshd]:
    """Run an sshd that knows no machine yet."""
    make_key(programs, folder / "host")
    (folder / "authorized").touch()
    (folder / "known").write_text(f"builders {(folder / 'host.pub').read_text()}")
    (folder / "client").write_text(
        f"HostName 127.0.0.1\nPort {port}\nUser root\nHostKeyAlias builders\n"
        f"IdentitiesOnly yes\nUserKnownHostsFile {folder}/known\nConnectTimeout 20\n"
    )
    words = [HERE / "serve-ssh.sh", folder, port, programs["sshd"], programs["libraries"]]
    with (folder / "log").open("w") as log:
        process = subprocess.Popen([*map(str, words)], stdout=log, stderr=log)
    try:
        for _ in range(SECONDS_TO_START * 10):
            if "listening" in (folder / "log").read_text() or process.poll() is not None:
                break
            time.sleep(0.1)
        assert process.poll() is None, (folder / "log").read_text()
        yield Sshd(folder, programs, port)
    finally:
        process.terminate()
        process.wait()


def builders(*machines: Machine, system: str = SYSTEM) -> tuple[str, ...]:
    """Return the options that let machines build, one step at a time each, and nobody else."""
    lines = "; ".join(f"ssh-ng://{each.name} {system} - 1 1" for each in machines)
    return ("--max-jobs", "0", "--option", "builders", lines)
