"""`check-builds` and `check-abi`, the checks of a build, on variants that are built."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.hub.bundle import read_bundle
from kernel_builder.kernel.build_toml import get_table, read_build_toml
from kernel_builder.kernel.builder import evaluate_package
from kernel_builder.machine.files import MAX_TEXT_BYTES, list_files
from kernel_builder.machine.process import run
from kernel_builder.messages.errors import parse_problems
from kernel_builder.messages.terminal import clean, print_result
from kernel_builder.nix.quoting import nix_string
from kernel_builder.settings import current_settings
from kernel_builder.variants import result
from kernel_builder.variants.make import make_path
from kernel_builder.variants.missing import find_missing

FETCH: Final = click.option("--fetch", is_flag=True, help="Fetch Torch to compare its symbols.")


def _make_program(name: str, may_fetch: bool) -> str:
    """Return the path of the checks of a variant; they compare symbols if its Torch is at hand."""
    outline = f"f: builtins.mapAttrs (_: {nix.OUTLINE}) (f {nix_string(name)})"
    programs = evaluate_package("checkFolder", outline)
    has_torch = may_fetch or not find_missing([programs["withTorch"]["drv"]]).sources
    program = programs["withTorch" if has_torch else "withoutTorch"]
    return f"{make_path(program, 'the checks cannot be built')}/bin/check-folder"


def _run_checks(folder: Path, only: str, given: Mapping[str, str], may_fetch: bool) -> int:
    """Run a check, or all, on all variants in a folder and print what they say; return the status.

    `given` has arguments of checks. The facts of a variant come as JSON with a text of them.
    """
    rows, text = [], ""
    for variant in read_bundle(folder).variants:
        # A check would wait for a pipe. It runs outside of the sandbox, with limits of its own.
        list_files(variant.folder)
        program = _make_program(variant.name, may_fetch)
        text, printed = f"{text}{variant.name}:\n", ""
        for check in [only] if only else run([program, "--list"]).stdout.split():
            words = [program, check, str(variant.folder), given.get(check, ""), variant.name]
            done = run(words, max_bytes=MAX_TEXT_BYTES)
            said = json.loads(done.stdout or "{}") if check == "facts" else {"text": done.stdout}
            text += said.get("text", "")
            click.echo(clean(done.stderr), nl=False, err=True)
            printed += done.stderr
            said["problems"] = [each.as_data() for each in parse_problems(done.stderr)]
            rows.append({"variant": variant.name, "check": check, "passed": not done.status} | said)
        file = variant.folder.parent / result.FINDINGS / f"{variant.name}.json"
        build = variant.metadata.get("id")
        for found in () if only else result.show_findings(file, build, printed):
            rows.append({"variant": variant.name, "check": "build", "passed": True, **found})
    print_result({"checks": rows}, text.rstrip("\n"))
    return 0 if all(row["passed"] for row in rows) else 1


def _measure_published(folder: Path) -> Mapping[str, int]:
    """Return the bytes of each variant on the Hub; none if repository or Hub are not known."""
    from kernel_builder.authoring.asking import measure_variants
    from kernel_builder.hub.target import name_branch

    is_kernel = (folder / "build.toml").is_file() and not current_settings().offline
    general = get_table(read_build_toml(folder)[1] if is_kernel else {}, "general")
    hub = get_table(general, "hub")
    branch = name_branch(hub, general.get("version"))
    return measure_variants(hub["repo-id"], branch) if "repo-id" in hub else {}


@click.command(short_help="Check that binaries load everywhere.")
@options.kernel_folder
@FETCH
@click.option("-m", "--manylinux", type=click.Choice(("manylinux_2_28",)), help="For Linux.")
@click.option("--macos", type=click.Choice(("15.0",)), help="For macOS.")
@click.option("-p", "--python-abi", type=click.Choice(("3.9",)), help="For Python.")
@click.option("--torch-stable-abi", default="", help="Require this stable ABI or an older.")
def check_abi(folder: Path, fetch: bool, torch_stable_abi: str, **_policies: str | None) -> int:
    """Check the binaries in DIR: a variant, a bundle, or a kernel with a build/ folder.

    There is one policy, that of published kernels; options that name another one are refused.
    """
    return _run_checks(folder, "abi", {"abi": torch_stable_abi}, fetch)


@click.command(short_help="Check all there is of built variants.")
@options.kernel_folder
@FETCH
def check_builds(folder: Path, fetch: bool) -> int:
    """Check layout, digest, registrations and binaries of the variants in DIR, and list facts.

    DIR (default: this folder) is a variant, a bundle, or a kernel with a build/ folder. Facts are
    the size, here and on the Hub, device code by target, operators, and providers of symbols.
    """
    sizes = json.dumps(_measure_published(folder))
    return _run_checks(folder, "", {"facts": sizes}, fetch)
