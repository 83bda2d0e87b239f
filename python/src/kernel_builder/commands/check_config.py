"""`check-config`: is build.toml right, and what comes of it."""

from __future__ import annotations

import json
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import collect_warnings, read_manifest, show_warnings
from kernel_builder.messages.errors import KernelBuilderError, parse_problems


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folder
@click.option("--ops", is_flag=True, help="Check how the Python code registers operators, too.")
@options.as_json
def check_config(folder: Path, ops: bool, as_json: bool) -> int:
    """Check build.toml and the files that it names; builds nothing."""
    kernel = Kernel(folder)
    try:
        manifest = read_manifest(kernel.evaluate("manifest"))
        if ops:
            _check_operators(kernel, manifest.name)
    except KernelBuilderError as error:
        if not as_json:
            raise
        problems = [vars(each) for each in error.problems or parse_problems(str(error))]
        result = {"valid": False, "message": str(error), "problems": problems}
        click.echo(json.dumps(result, indent=2))
        return error.exit_code
    if as_json:
        result = {
            "valid": True,
            "name": manifest.name,
            "variants": [variant.name for variant in manifest.variants if variant.built],
            "unavailable": {v.name: v.unavailable for v in manifest.variants if not v.built},
            "warnings": [
                *manifest.warnings,
                *(vars(problem) for problem in collect_warnings(manifest.variants)),
            ],
        }
        click.echo(json.dumps(result, indent=2))
        return 0
    show_warnings(manifest, manifest.variants)
    available = sum(1 for variant in manifest.variants if variant.built)
    click.echo(
        f"{manifest.name}: build.toml is right; {available} of {len(manifest.variants)} variants "
        f"can be built on {manifest.system}"
    )
    return 0


def _check_operators(kernel: Kernel, name: str) -> None:
    from kernel_builder.variants.checks import Checks

    python_name = f"torch-ext/{name.replace('-', '_')}"
    done = Checks().check_registration(kernel.folder / python_name, python_name)
    if done.status != 0:
        raise KernelBuilderError(done.stderr.strip().partition("error: ")[2] or done.stderr)
