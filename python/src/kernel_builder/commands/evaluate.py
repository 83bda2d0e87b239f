"""`check-config`, `list-variants`, `schema`: what an evaluation tells; nothing is built."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent, indent
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import Kernel, open_kernel
from kernel_builder.kernel.manifest import collect_warnings, describe_part, show_warnings
from kernel_builder.messages import terminal
from kernel_builder.messages.errors import KernelBuilderError, Problem, parse_problems, render

# The edition of build.toml that has the key.
LICENSE_SINCE: Final = 3


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folder
@click.option("--ops", is_flag=True, help="Check how the Python code registers operators, too.")
@options.untrusted
@options.as_json
def check_config(folder: Path, ops: bool, as_json: bool) -> int:
    """Check build.toml and the files that it names; builds nothing."""
    try:
        kernel = open_kernel(folder)
        manifest = kernel.evaluate("manifest")
        if ops:
            _check_operators(kernel, manifest["pythonFolder"])
    except KernelBuilderError as error:
        if not as_json:
            raise
        data = {"valid": False, "message": str(error), "problems": error.as_data()}
        terminal.print_json(data)
        return error.exit_code
    name, variants = manifest["name"], manifest["variants"]
    built = [variant["name"] for variant in variants if "drv" in variant]
    lacking = _find_lacking(kernel)
    if as_json:
        warnings = [*lacking, *collect_warnings(kernel, manifest)]
        terminal.print_json(
            {
                "valid": True,
                "name": name,
                "variants": built,
                "unavailable": {v["name"]: v["unavailable"] for v in variants if "drv" not in v},
                "warnings": [problem.as_data() for problem in warnings],
            }
        )
        return 0
    show_warnings(kernel, manifest)
    if lacking:
        terminal.complain(
            "warning", render(f"{name} can be built, but not published well", lacking)
        )
    click.echo(
        f"{name}: build.toml is right; {len(built)} of {len(variants)} variants "
        f"can be built on {manifest['system']}"
    )
    return 0


def _find_lacking(kernel: Kernel) -> list[Problem]:
    """Return what a build does not need and publishing does."""
    general = kernel.toml.get("general", {})
    if "license" in general or general.get("edition", LICENSE_SINCE) < LICENSE_SINCE:
        return []
    want = "the license by the Hub's name for it, such as apache-2.0 or mit"
    fix = 'add license = "…" to [general]'
    return [kernel.locate(Problem("general.license", "no license", want, fix))]


def _check_operators(kernel: Kernel, python_folder: str) -> None:
    from kernel_builder.variants.checks import check_registration

    done = check_registration(kernel.folder / python_folder, python_folder)
    if done.status != 0:
        text = done.stderr.strip().partition("error: ")[2] or done.stderr
        problems = [kernel.locate(each) for each in parse_problems(text)]
        headline = text.split("\n", 1)[0].rpartition(" (")[0] if problems else text
        raise KernelBuilderError(headline, problems)


@click.command(short_help="List a kernel's variants.")
@options.kernel_folder
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option(
    "--explain",
    is_flag=True,
    help="What each variant of this machine's system is, what it leaves out, or why it cannot be.",
)
@options.targets
@options.untrusted
@options.as_json
def list_variants(
    folder: Path, arch: bool, explain: bool, targets: Sequence[str], as_json: bool
) -> None:
    """List the variants of the kernel in DIR (default: this folder).

    With --capability, those of this machine's system that `build` makes for such a device.
    """
    kernel = open_kernel(folder, targets)
    if explain or targets:
        details = kernel.evaluate("variantDetails")
        details = [each for each in details if each["partial"] or not targets]
        if explain:
            paragraphs = map(_paragraph, details)
            _print(details if as_json else None, "\n\n".join(paragraphs))
            return
        names = [each["name"] for each in details]
        lines = [f"{each['name']}  {describe_part(each)}" for each in details]
    else:
        names = lines = kernel.evaluate("archVariants" if arch else "variants")
    _print(names if as_json else None, "\n".join(lines))


def _print(data: Any, text: str) -> None:
    if data is None:
        click.echo(terminal.clean(text))
    else:
        terminal.print_json(data)


def _paragraph(variant: Mapping[str, Any]) -> str:
    """Return what there is to say of a variant: sources, targets, and what is left out."""
    return "\n".join([variant["name"], *(indent(line, "  ") for line in _lines(variant))])


def _lines(variant: Mapping[str, Any]) -> list[str]:
    toolkit = f", {variant['backend']} {variant['toolkit']}" if variant["toolkit"] else ""
    if not variant["compiled"]:
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
    if variant["notImported"]:
        lines.append(f"not imported in the build: {variant['notImported']}")
    for warning in variant["warnings"]:
        lines += ["", "warning:", indent(dedent(Problem.read(warning).render()), "  ")]
    if variant["unavailable"]:
        lines += ["", "cannot be built:", indent(variant["unavailable"].strip("\n"), "  ")]
    return lines


@click.command(short_help="Print the JSON Schema of build.toml.")
def schema() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    found = evaluate_library("config.jsonSchema.schema")
    click.echo(json.dumps(found, indent=2, ensure_ascii=False))
