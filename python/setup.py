"""Writes the flake reference of a release and tables of the library into the package.

KERNEL_BUILDER_FLAKE names the flake. Without it, the reference is the commit of the checkout that
the package is built in.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
# A source distribution has the reference in this file, since it has no git repository around it.
FILE = "flake-reference"
# The library's tables are outside of the distribution, which has copies.
TABLES = ("platforms/systems.json", "config/python-names.json", "outputs/options.json")
GITHUB = re.compile(r"(?:https://(?:[^/@]*@)?|git@|ssh://git@)github\.com[:/](.+?)(?:\.git)?/?")


def find_reference() -> str | None:
    """Return the flake reference to release, or None if there is no checkout."""
    if named := os.environ.get("KERNEL_BUILDER_FLAKE"):
        return named
    if (HERE / FILE).is_file():
        return (HERE / FILE).read_text(encoding="utf-8").strip()
    if not (HERE.parent / ".git").exists():
        return None
    remote = GITHUB.fullmatch(run_git("remote", "get-url", "origin"))
    commit = run_git("rev-parse", "HEAD")
    return f"github:{remote[1]}/{commit}" if remote else f"git+file://{HERE.parent}"


def run_git(*words: str) -> str:
    """Return what git prints about the checkout, or nothing if it fails."""
    argv = ["git", "-C", str(HERE), *words]
    return subprocess.run(argv, capture_output=True, text=True, check=False).stdout.strip()


def write_reference(folder: Path) -> None:
    """Write the reference into a folder of the distribution."""
    if reference := find_reference():
        (folder / FILE).write_text(f"{reference}\n", encoding="utf-8")


def copy_tables(folder: Path) -> None:
    """Copy the tables from the checkout, or from a source distribution."""
    for table in TABLES:
        name = Path(table).name
        places = (HERE.parent / "lib" / table, HERE / name)
        shutil.copyfile(next(place for place in places if place.is_file()), folder / name)


class BuildWithReference(build_py):
    """Write the reference and the tables into the package of a wheel."""

    def run(self) -> None:
        """Build, then write the files. An editable install is used with its checkout."""
        super().run()
        if not self.editable_mode:
            package = Path(self.build_lib, "kernel_builder")
            write_reference(package)
            copy_tables(package / "nix")


class SourceWithReference(sdist):
    """Write the reference and the tables into a source distribution."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        """Copy the files, then write these beside this one."""
        super().make_release_tree(base_dir, files)
        write_reference(Path(base_dir))
        copy_tables(Path(base_dir))


setup(cmdclass={"build_py": BuildWithReference, "sdist": SourceWithReference})
