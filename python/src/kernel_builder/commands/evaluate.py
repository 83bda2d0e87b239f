"""`check-config`, `list-variants` and `schema`, which evaluate and build nothing."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from textwrap import dedent, indent
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.kernel.builder import evaluate_library, find_root
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.manifest import (
    collect_warnings,
    explain_absence,
    find_missing_keys,
    read_left_out,
    show_warnings,
)
from kernel_builder.kernel.opening import open_kernel
from kernel_builder.kernel.several import attempt_each, name_kernels
from kernel_builder.machine.process import Finished, module_argv, run
from kernel_builder.messages.errors import KernelBuilderError, Problem, read_error
from kernel_builder.messages.terminal import complain, print_result
from kernel_builder.settings import current_settings


@click.command(short_help="Check build.toml and what it names.")
@options.kernel_folders
@click.option("--ops", is_flag=True, help="Check how the Python code registers operators, too.")
@options.untrusted
def check_config(folders: Sequence[Path], ops: bool) -> int:
    """Check build.toml and the files that it names; builds nothing.

    Of several DIR, the mistakes of all are shown.
    """
    outcomes = attempt_each(folders, partial(check_kernel, operators=ops), "checking")
    is_one, data, lines, status = len(folders) == 1, [], [], 0
    for outcome in outcomes:
        if isinstance(outcome, KernelBuilderError):
            status = outcome.exit_code
            if not (is_one and current_settings().as_json):
                complain("error", str(outcome))
            problems = outcome.as_data()
            data.append({"valid": False, "message": str(outcome), "problems": problems})
        else:
            show_warnings(outcome["name"], [Problem.read(each) for each in outcome["warnings"]])
            lines.append(_summarise_check(outcome))
            data.append({"valid": True, **outcome})
    kernels = [{"folder": str(folder), **each} for folder, each in zip(folders, data)]
    several = {"valid": status == 0, "kernels": kernels}
    print_result(data[0] if is_one else several, "\n".join(lines))
    return status


def check_kernel(folder: Path, *, operators: bool) -> dict[str, Any]:
    """Check a kernel; return what --json prints. Raises KernelBuilderError for mistakes."""
    kernel = open_kernel(folder)
    kernel.warn_of_notes()
    manifest = kernel.evaluate("manifest")
    if operators:
        _check_operators(kernel, manifest["pythonFolder"])
    warnings = [*find_missing_keys(kernel), *collect_warnings(kernel, manifest)]
    variants = manifest["variants"]
    return {
        "name": manifest["name"],
        "system": manifest["system"],
        "variants": [each["name"] for each in variants if "drv" in each],
        "unavailable": {v["name"]: v["unavailable"] for v in variants if "drv" not in v},
        "not-imported": {v["name"]: v["notImported"] for v in variants if v.get("notImported")},
        "warnings": [problem.as_data() for problem in warnings],
    }


def _check_operators(kernel: Kernel, python_folder: str) -> None:
    done = check_registration(kernel.folder / python_folder, python_folder)
    if done.status != 0:
        error = read_error(done.stderr, f"{python_folder} cannot be checked")
        raise KernelBuilderError(error.headline, [kernel.locate(each) for each in error.problems])


def check_registration(folder: Path, shown_as: str) -> Finished:
    """Check the Python files of a kernel that is not built; messages call the folder `shown_as`.

    This check needs no package of Nix, so the Python of this process runs it.
    """
    programs = find_root() / "pkgs" / "checks"
    folders = [programs / "check-registration", programs / "run-check", Path(__file__).parents[2]]
    argv = module_argv(sys.executable, "registration_check", folders)
    return run([*argv, "--shown-as", shown_as, str(folder)])


def _summarise_check(found: Mapping[str, Any]) -> str:
    built, system = len(found["variants"]), found["system"]
    known = built + len(found["unavailable"])
    said = f"{built} of {known} variants can be built on" if known else "no variant is for"
    said = f"{found['name']}: build.toml is right; {said} {system}"
    reasons = found["not-imported"].values()
    if reasons and len(reasons) == built:
        said += f"\nthe build imports none of them: {', '.join(dict.fromkeys(reasons))}"
    return said


@click.command(short_help="List the variants of kernels.")
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
    """List the variants of the kernel in DIR (default: this folder).

    With --capability, those of this machine's system that `build` makes for such a device. Of
    several DIR, each line begins with the kernel.
    """
    find = partial(_explain_variants if explain else _list_names, arch=arch, targets=targets)
    outcomes = attempt_each(folders, find, "evaluating")
    if len(folders) == 1:
        if isinstance(outcomes[0], KernelBuilderError):
            raise outcomes[0]
        data, text = outcomes[0]
        print_result({"variants": data}, text)
        return 0
    kernels, lines, names = [], [], name_kernels(folders)
    wide = max(map(len, names))
    for folder, name, outcome in zip(folders, names, outcomes):
        shown: dict[str, Any] = {"folder": str(folder), "variants": []}
        if isinstance(outcome, KernelBuilderError):
            complain("error", str(outcome))
            shown["problems"] = outcome.as_data()
        else:
            shown["variants"], text = outcome
            lines += [f"{name:{wide}}  {line}".rstrip() for line in text.splitlines()]
        kernels.append(shown)
    print_result({"kernels": kernels}, "\n".join(lines))
    return 1 if any(isinstance(each, KernelBuilderError) for each in outcomes) else 0


def _list_names(folder: Path, *, arch: bool, targets: Sequence[str]) -> tuple[Sequence[Any], str]:
    kernel = open_kernel(folder, targets)
    kernel.warn_of_notes()
    if targets:
        details = kernel.evaluate("variantDetails")
        names = [each["name"] for each in details if each["partial"]]
    else:
        names = [*kernel.evaluate("archVariants" if arch else "variants")]
    note = f"  partial: {' '.join(targets)}" if targets else ""
    return names, "\n".join(f"{each}{note}" for each in names)


def _explain_variants(
    folder: Path, *, arch: bool, targets: Sequence[str]
) -> tuple[Sequence[Any], str]:
    del arch
    kernel = open_kernel(folder, targets)
    kernel.warn_of_notes()
    details = kernel.evaluate("variantDetails")
    details = [each for each in details if each["partial"] or not targets]
    data = [
        {re.sub("[A-Z]", r"-\g<0>", key).lower(): value for key, value in each.items()}
        for each in details
    ]
    there = {each["backend"] for each in details}
    reasons = [
        f"no variant for {each['backend']}\n  {each['found']}"
        for each in explain_absence(read_left_out(kernel))
        if each["backend"] not in there and not targets
    ]
    none = [] if details else ["no variant is for this system"]
    return data, "\n\n".join([*map(_describe, details), *none, *reasons])


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
