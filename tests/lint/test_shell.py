"""shellcheck over each shell script of the repository."""

from __future__ import annotations

import re

import pytest

from tests.boundaries.source_tree import File, files_of
from tests.lint.linter import ROOT, lint

# What a script says itself of the shell that runs it, on its first line or to shellcheck.
SHEBANG = re.compile(r"#!.*\b(?:ba|da)?sh\b")
DIRECTIVE = re.compile(r"^# shellcheck .*\bshell=", re.MULTILINE)

# A builder's script: the busybox shell runs it with `-eu`, its variables are those of the
# derivation, and what it sources is one of them or a file that it wrote.
BUILDER = ("--shell=dash", "--exclude=SC1090,SC1091,SC2154,SC2164")


def is_said(file: File) -> bool:
    """Say whether a script names the shell that runs it."""
    text = file.text or ""
    return bool(SHEBANG.match(text) or DIRECTIVE.search(text))


SCRIPTS = [file for file in files_of(ROOT) if file.suffix == ".sh" or is_said(file)]


@pytest.mark.parametrize("file", SCRIPTS, ids=lambda file: file.name)
def test_shellcheck_has_nothing_to_say(file: File) -> None:
    lint("shellcheck", "--external-sources", *(() if is_said(file) else BUILDER), file.name)


def test_the_scripts_without_an_ending_are_found() -> None:
    assert {"install.sh", ".ci/run", "python/bin/kernel-builder"} <= {one.name for one in SCRIPTS}
