"""`check-config`, `list-variants` and `schema`, which evaluate and build nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import click

from kernel_builder import api
from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library
from kernel_builder.kernel.folder import open_kernel
from kernel_builder.kernel.manifest import show_warnings
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_json, print_result
from kernel_builder.settings import current_settings


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folder
@click.option("--ops", is_flag=True, help="Check how the Python code registers operators, too.")
@options.untrusted
def check_config(folder: Path, ops: bool) -> int:
    """Check build.toml and the files that it names; builds nothing."""
    try:
        found = api.check_kernel(folder, operators=ops)
    except KernelBuilderError as error:
        if not current_settings().as_json:
            raise
        print_json({"valid": False, "message": str(error), "problems": error.as_data()})
        return error.exit_code
    show_warnings(found["name"], [Problem.read(each) for each in found["warnings"]])
    built, system = len(found["variants"]), found["system"]
    known = built + len(found["unavailable"])
    said = f"{built} of {known} variants can be built on" if known else "no variant is for"
    said = f"{found['name']}: build.toml is right; {said} {system}"
    reasons = found["not-imported"].values()
    if reasons and len(reasons) == built:
        said += f"\nthe build imports none of them: {', '.join(dict.fromkeys(reasons))}"
    print_result({"valid": True, **found}, said)
    return 0


@click.command(short_help="List a kernel's variants.")
@options.kernel_folder
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option(
    "--explain",
    is_flag=True,
    help="Describe each variant of this machine's system, or say why it cannot be built.",
)
@options.targets
@options.untrusted
def list_variants(folder: Path, arch: bool, explain: bool, targets: Sequence[str]) -> None:
    """List the variants of the kernel in DIR (default: this folder).

    With --capability, those of this machine's system that `build` makes for such a device.
    """
    if not explain:
        names = api.find_variants(folder, all_systems=not arch, targets=targets)
        partial = f"  partial: {' '.join(targets)}" if targets else ""
        print_result({"variants": names}, "\n".join(f"{each}{partial}" for each in names))
        return
    details = open_kernel(folder, targets).evaluate("variantDetails")
    details = [each for each in details if each["partial"] or not targets]
    data = [
        {re.sub("[A-Z]", r"-\g<0>", key).lower(): value for key, value in each.items()}
        for each in details
    ]
    text = "\n\n".join(map(_describe, details)) or "no variant is for this system"
    print_result({"variants": data}, text)


def _describe(variant: Mapping[str, Any]) -> str:
    """Return a paragraph about a variant: sources, targets, and what is left out."""
    facts = {
        "backend": f"{variant['backend']} {variant['toolkit'] or ''}".rstrip(),
        "torch": variant["torchVersion"] if variant["compiled"] else "",
        "stable ABI": variant["stableAbi"],
        "sources": ", ".join(variant["hosts"]),
        "bundles": "" if variant["bundle"] else "no, built by its name",
        "partial": " ".join(variant["partial"]),
        **{f"component {of['name']}": " ".join(of["targets"]) for of in variant["components"]},
        **{name: variant[name] for name in ("import", "shell", "tests")},
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    for warning in variant["warnings"]:
        lines += ["", "warning:", indent(dedent(Problem.read(warning).render()), "  ")]
    if variant["unavailable"]:
        lines += ["", "cannot be built:", indent(variant["unavailable"].strip("\n"), "  ")]
    return "\n".join([variant["name"], *(indent(line, "  ") for line in lines)])


@click.command(short_help="Print the JSON Schema of build.toml.")
def schema() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    data = evaluate_library("config.jsonSchema.schema")
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
