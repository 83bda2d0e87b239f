"""shellcheck over each shell script of the repository."""

import re

from tests.boundaries.source_tree import File, files_of
from tests.evaluation import ROOT
from tests.lint.linter import lint

# A script names its shell on the first line or in a directive for shellcheck.
SHEBANG = re.compile(r"#!.*\b(?:ba|da)?sh\b")
DIRECTIVE = re.compile(r"^# shellcheck .*\bshell=", re.MULTILINE)

# The busybox shell runs a builder's script with `-eu`. Its variables are those of the derivation,
# and it sources files that they name or that it wrote.
BUILDER = ("--shell=dash", "--exclude=SC1090,SC1091,SC2154,SC2164")


def is_said(file: File) -> bool:
    """Return whether a script names the shell that runs it."""
    text = file.text or ""
    return bool(SHEBANG.match(text) or DIRECTIVE.search(text))


SCRIPTS = [file for file in files_of(ROOT) if file.suffix == ".sh" or is_said(file)]


def test_shellcheck_accepts_scripts() -> None:
    files = [file.name for file in SCRIPTS if is_said(file)]
    assert {"install.sh", ".ci/run", "python/bin/kernel-builder"} <= set(files)
    lint("shellcheck", "--external-sources", *files)


def test_shellcheck_accepts_scripts_of_builders() -> None:
    files = [file.name for file in SCRIPTS if not is_said(file)]
    lint("shellcheck", "--external-sources", *BUILDER, *files)
