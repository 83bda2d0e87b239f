"""`check-builds` and `check-abi`, the checks of a build, on variants that are built; and `hash`."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.files import write_below
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems
from kernel_builder.messages.terminal import clean, print_result
from kernel_builder.nix.quoting import nix_string
from kernel_builder.settings import current_settings
from kernel_builder.variants.make import make_path
from kernel_builder.variants.missing import find_missing
from kernel_builder.variants.result import (
    METADATA,
    list_built_variants,
    read_metadata,
    read_variant_name,
)

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


def _read_version(_context: click.Context, _option: Any, text: str | None) -> str | None:
    if text is not None and not re.fullmatch(r"\d{1,3}\.\d{1,3}", text):
        raise click.BadParameter(f"{text!r} is no version, such as 2.10")
    return text


def _require_stable_abi(folders: Sequence[Path], newest: str) -> None:
    """Raise UsageError unless all variants are for the stable ABI of this Torch or an older one."""
    problems = []
    for name in map(read_variant_name, list_built_variants(folders)):
        found = re.search(r"-stable-abi(\d)(\d+)", name)
        if not found or (int(found[1]), int(found[2])) > tuple(map(int, newest.split("."))):
            said = f"the stable ABI of Torch {found[1]}.{found[2]}" if found else "no stable ABI"
            want = f"the stable ABI of Torch {newest} or older"
            fix = "state `stable-abi` in [torch] of build.toml and build again"
            problems.append(Problem(name, said, want, fix))
    if problems:
        raise KernelBuilderError("these variants need a newer Torch", problems)


@click.command(short_help="Check that binaries load everywhere.")
@click.argument("folders", nargs=-1, metavar="[DIR]...", type=click.Path(path_type=Path))
@FETCH
@click.option(
    "-m", "--manylinux", type=click.Choice(("manylinux_2_28",)), help="The policy for Linux."
)
@click.option("--macos", type=click.Choice(("15.0",)), help="The policy for macOS.")
@click.option("-p", "--python-abi", type=click.Choice(("3.9",)), help="The policy for Python.")
@click.option(
    "--torch-stable-abi", metavar="VERSION", callback=_read_version,
    help="Also require the stable ABI of this Torch, or of an older one.",
)  # fmt: skip
def check_abi(
    folders: tuple[Path, ...], fetch: bool, torch_stable_abi: str | None, **_policies: str | None
) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder.

    There is one policy, that of published kernels; options that name another one are refused.
    """
    places = folders or (Path(),)
    if torch_stable_abi:
        _require_stable_abi(places, torch_stable_abi)
    return _run_checks(places, ["abi"], fetch)


@click.command(short_help="Check all there is of built variants.")
@options.kernel_folder
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder.
    """
    return _run_checks([folder], ["layout", "registration", "abi"], fetch)


@click.command(short_help="State the hashes of built variants anew.")
@options.kernel_folder
def hash(folder: Path) -> None:  # noqa: A001  (the command's name)
    """Write the hashes of the variants' files in DIR (default: this folder) into their metadata.

    For variants whose files you changed after the build. `upload` takes them then; a signature of
    the build does not fit any more.
    """
    from kernel_builder.variants.result import hash_files

    names = []
    for variant in list_built_variants([folder]):
        digest = {"algorithm": "sha256", "files": hash_files(variant)}
        metadata = {**read_metadata(variant), "digest": digest}
        text = json.dumps(metadata, indent=2, sort_keys=True) + "\n"
        write_below(variant, METADATA, text.encode())
        names.append(read_variant_name(variant))
    print_result({"variants": names}, "\n".join(names))
