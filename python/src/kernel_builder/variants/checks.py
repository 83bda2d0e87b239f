"""Runs the checks of the build on any folder: the same programs, with the same Python.

What is right or wrong is their business; here they only get what they need.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

import click

from kernel_builder import nix
from kernel_builder.kernel.builder import evaluate_package, find_root
from kernel_builder.machine.process import Finished, run
from kernel_builder.machine.python import module_argv
from kernel_builder.messages.terminal import clean, say
from kernel_builder.nix.quoting import nix_string
from kernel_builder.sources.missing import find_missing
from kernel_builder.variants.make import make_path
from kernel_builder.variants.result import name_of

ABI: Final = "check-abi/abi_check"
LAYOUT: Final = "check-layout/layout_check"
REGISTRATION: Final = "check-registration/registration_check"
NOT_MADE: Final = "what the check needs cannot be made"


@dataclass(frozen=True)
class Checks:
    """The checks; `may_fetch` says whether a Torch is fetched to compare its symbols."""

    may_fetch: bool = False

    @cached_property
    def _programs(self) -> Path:
        return find_root() / "pkgs" / "checks"

    @cached_property
    def _python(self) -> str:
        return f"{make_path(evaluate_package('checkPython'), NOT_MADE)}/bin/python3"

    def check_abi(self, variant: Path) -> Finished:
        """Check the binaries of a variant."""
        name = name_of(variant)
        lists = evaluate_package("symbolListsOf", f"f: f {nix_string(name)}")
        platform = lists["platform"]
        folders = [make_path(platform, NOT_MADE)] if platform else []
        for outline in lists["framework"]:
            if self.may_fetch or _is_at_hand(outline):
                folders.append(make_path(outline, NOT_MADE))
            else:
                say(f"{name}: what it is linked with is not in the store; --fetch compares with it")
        options = [word for folder in folders for word in ("--symbols", folder)]
        return self._run(self._python, ABI, ["--variant", name, *options, str(variant)])

    def check_layout(self, variant: Path) -> Finished:
        """Check the files of a variant."""
        by_name = Path(__file__).parents[1] / "templates" / "ops" / "by_name.py"
        options = ["--variant", name_of(variant), "--by-name", str(by_name)]
        return self._run(self._python, LAYOUT, [*options, str(variant)])

    def check_registration(self, folder: Path, shown_as: str) -> Finished:
        """Check the Python code of a kernel or variant. Any Python can do that."""
        return self._run(sys.executable, REGISTRATION, ["--shown-as", shown_as, str(folder)])

    def _run(self, python: str, check: str, arguments: Sequence[str]) -> Finished:
        package = self._programs / check
        folders = [package.parent, self._programs / "run-check"]
        return run([*module_argv(python, package.name, folders), *arguments])


def show(done: Finished) -> bool:
    """Print what a check says; say whether it found nothing."""
    click.echo(clean(done.stdout), nl=False)
    click.echo(clean(done.stderr), nl=False, err=True)
    return done.status == 0


def _is_at_hand(outline: dict[str, str]) -> bool:
    return not nix.find_invalid([outline["out"]]) or not find_missing([outline["drv"]]).sources
