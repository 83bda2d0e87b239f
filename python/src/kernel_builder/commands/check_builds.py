"""`check-builds` and `check-abi`: the checks of a build, on variants that are built."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import parse_problems
from kernel_builder.messages.terminal import clean, print_result
from kernel_builder.nix.quoting import nix_string
from kernel_builder.settings import current_settings
from kernel_builder.sources.missing import find_missing
from kernel_builder.variants.make import make_path
from kernel_builder.variants.result import list_built_variants, read_variant_name

FETCH: Final = click.option(
    "--fetch", is_flag=True, help="Fetch a variant's Torch to compare its symbols."
)


def _make_program(name: str, may_fetch: bool) -> str:
    """Return the path of the checks of a variant; they compare symbols if its Torch is at hand."""
    outline = f"f: builtins.mapAttrs (_: {nix.OUTLINE}) (f {nix_string(name)})"
    programs = evaluate_package("checkFolder", outline)
    has_torch = may_fetch or not find_missing([programs["withTorch"]["drv"]]).sources
    program = programs["withTorch" if has_torch else "withoutTorch"]
    return f"{make_path(program, 'the checks cannot be built')}/bin/check-folder"


def _run_checks(folders: Sequence[Path], checks: Sequence[str], may_fetch: bool) -> int:
    """Run checks on all variants in some folders and print what they say; return the status."""
    rows = []
    is_text = not current_settings().as_json
    for variant in list_built_variants(folders):
        name = read_variant_name(variant)
        program = _make_program(name, may_fetch)
        if is_text:
            click.echo(f"{name}:")
        for check in checks:
            done = run([program, check, str(variant)])
            if is_text:
                click.echo(clean(done.stdout), nl=False)
                click.echo(clean(done.stderr), nl=False, err=True)
            problems = [problem.as_data() for problem in parse_problems(done.stderr)]
            row = {"variant": name, "check": check, "passed": done.status == 0}
            rows.append({**row, "text": done.stdout, "problems": problems})
    print_result({"checks": rows}, "")
    return 0 if all(row["passed"] for row in rows) else 1


@click.command(short_help="Check that binaries load everywhere.")
@click.argument(
    "folders", nargs=-1, required=True, metavar="DIR...", type=click.Path(path_type=Path)
)
@FETCH
def check_abi(folders: tuple[Path, ...], fetch: bool) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder."""
    return _run_checks(folders, ["abi"], fetch)


@click.command(short_help="Check all there is of built variants.")
@options.kernel_folder
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder.
    """
    return _run_checks([folder], ["layout", "registration", "abi"], fetch)
