"""`build`, the commands that go on from there, and `upload`, which takes what is built."""

import json
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options, results
from kernel_builder.extras import load_option
from kernel_builder.hub import UploadOptions
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.build import build_kernels, build_wheels
from kernel_builder.variants.table import Choice

# The fields of `UploadOptions`.
upload_options: Final = options.add((
    click.option("--repo-id", default="", metavar="OWNER/NAME", help="Upload to this repository."),
    click.option("--branch", default="", help="Upload to this branch (default: v<version>)."),
    click.option("--private", is_flag=True, help="Create a new repository as a private one."),
    click.option("--create-pr", is_flag=True, help="Create pull requests instead of commits."),
    click.option("--partial", is_flag=True, help="Upload although variants are missing."),
    click.option("--allow-dirty", is_flag=True, help="Upload builds of uncommitted changes."),
    click.option("--allow-unsandboxed", is_flag=True, help="Upload builds without a sandbox."),
    options.dry_run,
    click.option("--prune", is_flag=True, help="Also remove published variants that are retired."),
    click.option("--yes", is_flag=True, help="Agree to what --prune lists."),
    click.option(
        "--repo-type", type=click.Choice(("kernel", "model")), default="kernel", show_default=True,
        help="The kind of repository; old clients read models.",
    ),
    click.option(
        "--output-json", type=options.PATH, metavar="FILE",
        help="Also write the result to FILE, with the keys of Hugging Face's tool.",
    ),
))  # fmt: skip


@click.command(short_help="Build the variants of kernels and link them.")
@options.kernel_folders
@options.choice
@options.dry_run
@click.option("--wheels", is_flag=True, help="Also link a folder of wheels as DIR/wheels.")
@options.untrusted
@options.sources
def build(folders: Sequence[Path], wheels: bool, **asked: Any) -> int:
    """Build the kernel in DIR (default: this folder) and link it as DIR/result.

    Sources that the store lacks come through the machine's own pip and apt. A variant whose
    sources cannot be had is left out.

    Several DIR, such as kernels/*, are evaluated in parallel and built as one. A mistake in one
    does not stop the others; the command fails at its end.
    """
    choice = Choice(**asked)
    if wheels and choice.targets:
        raise click.UsageError("--wheels is for whole variants, which --capability does not build")
    built = build_kernels(folders, choice)
    indexes = [build_wheels(each) for each in built if wheels and each.bundle]
    data = results.as_data(built, folders)
    if not choice.dry_run:
        for add in click.get_current_context().meta.get(results.ADDITIONS, ()):
            data |= add(built)
    text = results.format_results(built, sys.stdout)
    pairs = [*((each.bundle, each.link) for each in built if each.bundle), *filter(None, indexes)]
    links = [f"{link} -> {path}" if link else f"{path}" for path, link in pairs]
    print_result(data, "\n".join([text, "", *links]) if links else text)
    results.show_messages(built)
    return 1 if any(each.errors for each in built) else 0


build.params.append(load_option("build"))


@click.command(short_help="Build, and copy the result into build/.")
@options.kernel_folder
@options.choice
@click.option("--prune", is_flag=True, help="Remove variants from build/ that were not built now.")
@options.dry_run
@options.sources
def build_and_copy(folder: Path, prune: bool, **choice: Any) -> int:
    """Build the kernel in DIR (default: this folder) and copy the result to DIR/build.

    The copy is yours to write to. Variants from earlier builds stay, --prune removes them. The
    filled card comes along as build/CARD.md.
    """
    from kernel_builder.variants.copy import copy_bundle
    from kernel_builder.variants.sandbox import describe_states

    (result,) = results.build_before([folder], Choice(**choice))
    copied, text = None, ""
    if result.kernel and result.bundle:
        target = result.kernel.folder / "build"
        copied = copy_bundle(Path(result.bundle), target, prune=prune)._asdict()
        words = ("copied", "unchanged", "removed", "others")
        shown = (f"{word}: {', '.join(copied[word])}" for word in words if copied[word])
        text = f"{target}: {'; '.join(shown)}\n{describe_states(copied['sandbox'])}"
    print_result({**result.as_data(), "copied": copied}, text)
    return 1 if result.errors else 0


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folder
@click.option("--variant", "names", multiple=True, help="Only this variant (repeatable).")
@upload_options
@options.sources
def build_and_upload(folder: Path, names: Sequence[str], **asked: Any) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built, or every --variant;
    --partial uploads those that were.
    """
    # A missing library is an error before the build, not after it.
    from kernel_builder.hub.upload import upload_variants

    choice = UploadOptions(**asked)
    (result,) = results.build_before([folder], Choice(names, require_all=not choice.partial))
    if result.errors or not result.bundle:
        return 1
    # The others may be on the Hub already.
    choice = replace(choice, partial=True) if names else choice
    show_report(upload_variants(result.kernel, Path(result.bundle), choice), choice.output_json)
    return 0


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folder
@upload_options
def upload(folder: Path, **asked: Any) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml. --dry-run with --offline lists all
    files.
    """
    from kernel_builder.hub.upload import upload as upload_kernel

    choice = UploadOptions(**asked)
    show_report(upload_kernel(folder, choice), choice.output_json)


def show_report(report: Mapping[str, Any], file: Path | None) -> None:
    """Print the result of an upload, and write it to a file for scripts of Hugging Face's tool."""
    pulls, lines, status = [], [], "no_changes"
    add, remove = ("to add", "to remove") if report["dry-run"] else ("added", "removed")
    for each in report["branches"]:
        branch, pull = each["branch"], each["pull-request"]
        changes = [f"  {key:<7} {it}" for key in ("retired", "add", "remove") for it in each[key]]
        place = f" in {pull}" if pull else ""
        done = f"{len(each['add'])} files {add}, {len(each['remove'])} {remove}{place}"
        lines.append(f"{branch}: {done if changes else 'everything is there already'}")
        lines += changes if report["dry-run"] else []
        status = "uploaded" if changes else status
        pulls += [{"branch": branch, "url": pull}] if pull else []
    if file:
        status = "pull_request_created" if pulls else status
        branch = report["branches"][0]["branch"]
        summary = {
            "status": status,
            "repo_id": report["repository"],
            "branch": branch,
            "url": f"{report['url']}/tree/{branch}" if status == "uploaded" else None,
            "pull_requests": pulls,
        }
        replace_text(file, json.dumps(summary, indent=2) + "\n")
    first = report["branches"][0]["branch"]
    version = f"version={first[1:]}" if re.fullmatch(r"v\d+", first) else f'revision="{first}"'
    load = f'kernels.get_kernel("{report["repository"]}", {version})'
    lines += [] if report["dry-run"] or pulls else [f"load it: {load}"]
    print_result(report, "\n".join([*lines, report["url"]]))
