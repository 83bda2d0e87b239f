"""`check-config` and `list-variants`, which evaluate and build nothing."""

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.extras import find_lost, open_kernel
from kernel_builder.kernel import manifest
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.several import Report, print_each
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import format_columns, is_live, print_result
from kernel_builder.settings import current_settings
from kernel_builder.variants.build import predict_left_out


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folders
@options.untrusted
def check_config(folders: Sequence[Path]) -> int:
    """Check build.toml in DIR (default: this folder) and the files that it names.

    Several DIR, such as kernels/*, are checked in parallel. Nothing is built.
    """

    def check(folder: Path) -> Report:
        found = check_kernel(folder)
        manifest.show_warnings(found["name"], [Problem.read(each) for each in found["warnings"]])
        return {"valid": True, **found}, _summarise_check(found)

    try:
        return print_each(folders, check, "checking", failed={"valid": False})
    except KernelBuilderError as error:
        if not current_settings().as_json:
            raise
        print_result({"valid": False, "message": str(error), "problems": error.as_data()}, "")
        return error.exit_code


def check_kernel(folder: Path) -> dict[str, Any]:
    """Check a kernel; return what --json prints. Raises KernelBuilderError for mistakes."""
    kernel = open_kernel(folder)
    kernel.warn_of_notes()
    data = kernel.evaluate("manifest")
    warnings = [
        *find_lost(folder),
        *kernel.find_unseen(data.get("absent", ())),
        *map(kernel.locate, map(Problem.read, data.get("publishing", ()))),
        *manifest.collect_warnings(kernel, data),
    ]
    variants = data["variants"]
    lost = predict_left_out(variants)
    return {
        "name": data["name"],
        "system": data["system"],
        "variants": [v["name"] for v in variants if "drv" in v and v["name"] not in lost],
        "unavailable": lost | {v["name"]: v["unavailable"] for v in variants if "drv" not in v},
        "not-imported": {v["name"]: v["notImported"] for v in variants if v.get("notImported")},
        "warnings": [problem.as_data() for problem in warnings],
    }


def _summarise_check(found: Mapping[str, Any]) -> str:
    built, system, lost = len(found["variants"]), found["system"], found["unavailable"]
    known = built + len(lost)
    said = f"{built} of {known} variants can be built on" if known else "no variant is for"
    said = f"{found['name']}: build.toml is right; {said} {system}"
    said += "".join(f"\n{name}: {lost[name]}" for name in lost)
    reasons = found["not-imported"].values()
    if reasons and len(reasons) == built:
        said += f"\nthe build imports none of them: {', '.join(dict.fromkeys(reasons))}"
    return said


@click.command(short_help="List the variants of a kernel.")
@options.kernel_folders
@click.option("--arch", is_flag=True, help="Only variants of this machine's system.")
@click.option(
    "--explain",
    is_flag=True,
    help="Describe each variant of this machine's system, or say why it cannot be built.",
)
@options.targets
@options.untrusted
def list_variants(
    folders: Sequence[Path], arch: bool, explain: bool, targets: Sequence[str]
) -> int:
    """List the variants of the kernel in DIR (default: this folder), or in each of several DIR.

    A terminal also gets what this machine can do with each. With --capability, those of this
    machine's system that `build` makes for such a device.
    """

    def describe(folder: Path) -> Report:
        kernel = open_kernel(folder, targets)
        kernel.warn_of_notes()
        data, text = _explain_variants(kernel) if explain else _list_names(kernel, arch=arch)
        return {"variants": data}, text

    return print_each(folders, describe, "evaluating")


def _list_names(kernel: Kernel, *, arch: bool) -> tuple[Sequence[Any], str]:
    if kernel.targets:
        details = kernel.evaluate("variantDetails")
        names = [each["name"] for each in details if each["partial"]]
    else:
        names = [*kernel.evaluate("archVariants" if arch else "variants")]
    note = f"  partial: {' '.join(kernel.targets)}" if kernel.targets else ""
    lines = [f"{each}{note}" for each in names]
    if is_live(sys.stdout) and not (kernel.targets or current_settings().as_json):
        # A script reads names; a person wants to know what works here.
        known = {each["name"]: each for each in kernel.evaluate("manifest")["variants"]}
        lines = format_columns([("variant", "on this machine"), *_describe_machine(names, known)])
    return names, "\n".join(lines)


def _describe_machine(
    names: Sequence[str], known: Mapping[str, Mapping[str, Any]]
) -> Iterator[tuple[str, str]]:
    """Yield each variant with what can be done with it here; `known` are those of this system."""
    for name in names:
        said = known.get(name, {"unavailable": "for another system"})
        why = f", not imported: {it}" if (it := said.get("notImported")) else " and imported"
        why += f", not uploaded: Torch {said['pre']} is a pre-release" if said.get("pre") else ""
        yield name, str(said.get("unavailable") or f"can be built{why}")


def _explain_variants(kernel: Kernel) -> tuple[Sequence[Any], str]:
    details = kernel.evaluate("variantDetails")
    details = [each for each in details if each["partial"] or not kernel.targets]
    texts = [each.pop("text", each["name"]) for each in details]
    data = [{re.sub("[A-Z]", r"-\g<0>", k).lower(): v for k, v in each.items()} for each in details]
    texts = texts or ["no variant is for this system"]
    there = {each["backend"] for each in details}
    for each in manifest.explain_absence(manifest.read_left_out(kernel)):
        if each["backend"] not in there and not kernel.targets:
            texts.append(f"no variant for {each['backend']}\n  {each['found']}")
    return data, "\n\n".join(texts)
