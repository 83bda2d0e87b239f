"""`check-config`, `list-variants`, `schema`: what an evaluation tells; nothing is built."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import collect_warnings, describe_part, show_warnings
from kernel_builder.kernel.repository import evaluate_library
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folder
@click.option("--ops", is_flag=True, help="Check how the Python code registers operators, too.")
@options.as_json
def check_config(folder: Path, ops: bool, as_json: bool) -> int:
    """Check build.toml and the files that it names; builds nothing."""
    kernel = Kernel(folder)
    try:
        manifest = kernel.evaluate("manifest")
        if ops:
            _check_operators(kernel, manifest["pythonFolder"])
    except KernelBuilderError as error:
        if not as_json:
            raise
        problems = [vars(each) for each in error.problems or parse_problems(str(error))]
        result = {"valid": False, "message": str(error), "problems": problems}
        click.echo(json.dumps(result, indent=2))
        return error.exit_code
    name, variants = manifest["name"], manifest["variants"]
    built = [variant["name"] for variant in variants if "drv" in variant]
    if as_json:
        warnings = [vars(problem) for problem in collect_warnings(variants)]
        result = {
            "valid": True,
            "name": name,
            "variants": built,
            "unavailable": {v["name"]: v["unavailable"] for v in variants if "drv" not in v},
            "warnings": [*manifest["warnings"], *warnings],
        }
        click.echo(json.dumps(result, indent=2))
        return 0
    show_warnings(manifest, variants)
    click.echo(
        f"{name}: build.toml is right; {len(built)} of {len(variants)} variants "
        f"can be built on {manifest['system']}"
    )
    return 0


def _check_operators(kernel: Kernel, python_folder: str) -> None:
    from kernel_builder.variants.checks import Checks

    done = Checks().check_registration(kernel.folder / python_folder, python_folder)
    if done.status != 0:
        raise KernelBuilderError(done.stderr.strip().partition("error: ")[2] or done.stderr)


@click.command(short_help="List a kernel's variants.")
@options.kernel_folder
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option(
    "--explain",
    is_flag=True,
    help="What each variant of this machine's system is, what it leaves out, or why it cannot be.",
)
@options.targets
@options.as_json
def list_variants(
    folder: Path, arch: bool, explain: bool, targets: Sequence[str], as_json: bool
) -> None:
    """List the variants of the kernel in DIR (default: this folder).

    With --capability, those of this machine's system that `build` makes for such a device.
    """
    kernel = Kernel(folder, targets)
    if explain or targets:
        details = kernel.evaluate("variantDetails")
        details = [each for each in details if each["partial"] or not targets]
        if explain:
            paragraphs = map(_paragraph, details)
            click.echo(json.dumps(details, indent=2) if as_json else "\n\n".join(paragraphs))
            return
        names = [each["name"] for each in details]
        lines = [f"{each['name']}  {describe_part(each)}" for each in details]
    else:
        names = lines = kernel.evaluate("archVariants" if arch else "variants")
    click.echo(json.dumps(names, indent=2) if as_json else "\n".join(lines))


def _paragraph(variant: Mapping[str, Any]) -> str:
    """Return what there is to say of a variant: sources, targets, and what is left out."""
    return "\n".join([variant["name"], *(indent(line, "  ") for line in _lines(variant))])


def _lines(variant: Mapping[str, Any]) -> list[str]:
    toolkit = f", {variant['backend']} {variant['toolkit']}" if variant["toolkit"] else ""
    if variant["noarch"]:
        build = f"no compiled code, for {variant['backend']}"
    else:
        torch = f"Torch {variant['torch']}"
        if not variant["isOfTorch"]:
            torch = f"any Torch, imported with {variant['torch']}"
        build = f"{torch}{toolkit or ', ' + variant['backend']}"
    if variant["stableAbi"]:
        build += f", on the stable ABI of {variant['stableAbi']}"
    hosts = ["package registries" if host == "registry" else host for host in variant["hosts"]]
    lines = [build, f"sources from {' and '.join(hosts)}"]
    if not variant["bundle"]:
        lines.append("no part of bundles: built by its name")
    lines += filter(None, [describe_part(variant)])
    for component in variant["components"]:
        targets = " ".join(component["targets"])
        lines.append(f"{component['name']}{': ' if targets else ''}{targets}")
    for warning in variant["warnings"]:
        lines += ["", "warning:", indent(dedent(Problem(**warning).render()), "  ")]
    if variant["unavailable"]:
        lines += ["", "cannot be built:", indent(variant["unavailable"].strip("\n"), "  ")]
    return lines


@click.command(short_help="Print the JSON Schema of build.toml.")
def schema() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    found = evaluate_library("jsonSchema.schema")
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))
