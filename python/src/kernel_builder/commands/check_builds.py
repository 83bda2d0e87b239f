"""`check-builds` and `check-abi`, the checks of a build, on variants that are built."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems
from kernel_builder.messages.terminal import clean, print_result
from kernel_builder.nix.quoting import nix_string
from kernel_builder.variants.make import make_path
from kernel_builder.variants.missing import find_missing
from kernel_builder.variants.result import list_built_variants, read_variant_name

FETCH: Final = click.option("--fetch", is_flag=True, help="Fetch Torch to compare its symbols.")


def _make_program(name: str, may_fetch: bool) -> str:
    """Return the path of the checks of a variant; they compare symbols if its Torch is at hand."""
    outline = f"f: builtins.mapAttrs (_: {nix.OUTLINE}) (f {nix_string(name)})"
    programs = evaluate_package("checkFolder", outline)
    has_torch = may_fetch or not find_missing([programs["withTorch"]["drv"]]).sources
    program = programs["withTorch" if has_torch else "withoutTorch"]
    return f"{make_path(program, 'the checks cannot be built')}/bin/check-folder"


def _run_checks(folder: Path, checks: Sequence[str], may_fetch: bool) -> int:
    """Run checks on all variants in a folder and print what they say; return the status."""
    rows, text = [], ""
    for variant in list_built_variants([folder]):
        name = read_variant_name(variant)
        program = _make_program(name, may_fetch)
        text += f"{name}:\n"
        for check in checks:
            done = run([program, check, str(variant)])
            text += done.stdout
            click.echo(clean(done.stderr), nl=False, err=True)
            problems = [problem.as_data() for problem in parse_problems(done.stderr)]
            row = {"variant": name, "check": check, "passed": done.status == 0}
            rows.append({**row, "text": done.stdout, "problems": problems})
    print_result({"checks": rows}, text.rstrip("\n"))
    return 0 if all(row["passed"] for row in rows) else 1


def _require_stable_abi(folder: Path, newest: str) -> None:
    """Raise an error unless all variants are for the stable ABI of this Torch or an older one."""
    problems = []
    for name in map(read_variant_name, list_built_variants([folder])):
        found = re.search(r"-stable-abi(\d)(\d+)", name)
        if not found or [*map(int, found.groups())] > [*map(int, re.findall(r"\d+", newest))]:
            said = f"the stable ABI of Torch {found[1]}.{found[2]}" if found else "no stable ABI"
            want = f"the stable ABI of Torch {newest} or older"
            fix = "state `stable-abi` in [torch] of build.toml and build again"
            problems.append(Problem(name, said, want, fix))
    if problems:
        raise KernelBuilderError("these variants need a newer Torch", problems)


@click.command(short_help="Check that binaries load everywhere.")
@options.kernel_folder
@FETCH
@click.option("-m", "--manylinux", type=click.Choice(("manylinux_2_28",)), help="For Linux.")
@click.option("--macos", type=click.Choice(("15.0",)), help="For macOS.")
@click.option("-p", "--python-abi", type=click.Choice(("3.9",)), help="For Python.")
@click.option("--torch-stable-abi", metavar="VERSION", help="Require this stable ABI or an older.")
def check_abi(
    folder: Path, fetch: bool, torch_stable_abi: str | None, **_policies: str | None
) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder.

    There is one policy, that of published kernels; options that name another one are refused.
    """
    if torch_stable_abi:
        _require_stable_abi(folder, torch_stable_abi)
    return _run_checks(folder, ["abi"], fetch)


@click.command(short_help="Check all there is of built variants.")
@options.kernel_folder
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder.
    """
    return _run_checks(folder, ["layout", "registration", "abi"], fetch)
