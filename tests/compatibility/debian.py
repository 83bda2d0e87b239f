"""A bare Debian in a folder, entered as the root of the file system. It is gone when it is left."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.compatibility.machine_settings import (
    apt_settings,
    certificates,
    debian_mirror,
    pip_folders,
    pip_settings,
)
from tests.evaluation import ROOT

ENTER = ROOT / "tests" / "install" / "enter-root.sh"
# A mount that a broken-off program leaves behind is gone with its namespace.
ALONE = ("unshare", "--mount", "--propagation", "private", "--")
LOW_PRIORITY = ("nice", "-n", "10")


class CannotBeHadError(Exception):
    """This machine has no such Debian, or no such package for it; the text says which."""


class FailedError(Exception):
    """A program inside did not succeed; the text is the end of what it said."""


def obstacle() -> str | None:
    """Return why no Debian can be made here."""
    if os.geteuid() != 0:
        return "it needs root"
    if not shutil.which("debootstrap"):
        return "there is no debootstrap (apt-get install debootstrap)"
    if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode != 0:
        return "this machine lets nobody make mount namespaces"
    if not debian_mirror():
        return "this machine's apt has no mirror of Debian"
    return None


class Debian:
    """One release of Debian, with a Python environment in `/venv`."""

    python = "/venv/bin/python"

    def __init__(self, root: Path, suite: str) -> None:
        self.root = root
        self.suite = suite
        self.folders = pip_folders()

    def run(self, *argv: str, variables: dict[str, str] | None = None) -> str:
        """Run a program inside; return what it prints."""
        environment = {
            "HOME": "/root",
            "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "DEBIAN_FRONTEND": "noninteractive",
            "HF_HUB_OFFLINE": "1",
            "PIP_CERT": "/etc/machine-ca.crt",
            "PYTHONDONTWRITEBYTECODE": "1",
            **pip_settings(),
            **(variables or {}),
        }
        pairs = [f"{name}={value}" for name, value in environment.items()]
        done = subprocess.run(
            [*LOW_PRIORITY, str(ENTER), str(self.root), "env", "-i", *pairs, *argv],
            env={**os.environ, "BIND": " ".join(self.folders)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise FailedError("\n".join(f"{done.stdout}{done.stderr}".splitlines()[-30:]))
        return done.stdout

    def give(self, source: Path, place: str) -> None:
        """Copy a file or a folder to a place inside, as somebody who downloads it would have it."""
        target = Path(f"{self.root}{place}")
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)

    def make_environment(self, python: str, *requirements: str, whole: bool = True) -> None:
        """Make `/venv` where it is missing and install into it, with this machine's pip settings.

        Without `whole`, what the requirements themselves ask for is left out.
        """
        if not (self.root / "venv").exists():
            self.run(python, "-m", "venv", "/venv")
        options = ["--no-cache-dir", "--quiet", *([] if whole else ["--no-deps"])]
        try:
            self.run(self.python, "-m", "pip", "install", *options, *requirements)
        except FailedError as error:
            if "No matching distribution" in str(error):
                raise CannotBeHadError(f"pip has no {' '.join(requirements)}: {error}") from error
            raise


@contextmanager
def debian(suite: str, packages: Sequence[str]) -> Iterator[Debian]:
    """Make a bare Debian of a suite with some packages; remove it in the end."""
    folder = Path(tempfile.mkdtemp(prefix=f"kernel-builder-{suite}-"))
    try:
        root = folder / "root"
        wanted = f"--include={','.join(packages)}"
        argv = ["debootstrap", "--variant=minbase", wanted, suite, str(root), debian_mirror() or ""]
        done = subprocess.run(
            [*LOW_PRIORITY, *ALONE, *argv], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            said = " ".join(done.stdout.splitlines()[-2:])
            raise CannotBeHadError(f"debootstrap could not make Debian {suite}: {said}")
        (root / "etc/apt/apt.conf.d/99machine").write_text(apt_settings())
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
        shutil.copyfile(certificates(), root / "etc/machine-ca.crt")
        yield Debian(root, suite)
    finally:
        subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=False)
