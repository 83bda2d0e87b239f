"""`upload` uploads what is built, `build-and-upload` builds it before."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.commands.results import build_before
from kernel_builder.hub import UploadOptions
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.table import Choice

# The fields of `UploadOptions`.
upload_options: Final = options.add((
    click.option("--repo-id", default="", metavar="OWNER/NAME", help="Upload to this repository."),
    click.option("--branch", default="", help="Upload to this branch (default: v<version>)."),
    click.option("--private", is_flag=True, help="Create a new repository as a private one."),
    click.option("--create-pr", is_flag=True, help="Create pull requests instead of commits."),
    click.option("--partial", is_flag=True, help="Upload although variants are missing."),
    click.option("--allow-dirty", is_flag=True, help="Upload builds of uncommitted changes."),
    click.option(
        "--allow-unsandboxed", is_flag=True, help="Upload what may be built without a sandbox."
    ),
    click.option("--dry-run", is_flag=True, help="Only list changes; with --offline, all files."),
    click.option(
        "--repo-type", type=click.Choice(("kernel", "model")), default="kernel", show_default=True,
        help="The kind of repository; old clients read models.",
    ),
    click.option(
        "--output-json", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Also write the result to FILE, with the keys of Hugging Face's tool.",
    ),
))  # fmt: skip


def format_report(report: Mapping[str, Any]) -> str:
    """Return the result of an upload for people."""
    lines = []
    for each in report["branches"]:
        add, remove = each["add"], each["remove"]
        place = f" in {each['pull-request']}" if each["pull-request"] else ""
        done = f"{len(add)} files to add, {len(remove)} to remove{place}"
        done = done if add or remove else "everything is there already"
        lines.append(f"{each['branch']}: {done}")
        if report["dry-run"]:
            lines += [f"  add     {path}" for path in add]
            lines += [f"  remove  {path}" for path in remove]
    return "\n".join([*lines, report["url"]])


def show_report(report: Mapping[str, Any], asked: UploadOptions) -> None:
    """Print the result of an upload, and write it to the file that was asked for."""
    if asked.output_json:
        branches = report["branches"]
        pulls = [
            {"branch": each["branch"], "url": each["pull-request"]}
            for each in branches
            if each["pull-request"]
        ]
        has_changes = any(each["add"] or each["remove"] for each in branches)
        status = "uploaded" if has_changes else "no_changes"
        summary = {
            "status": "pull_request_created" if pulls else status,
            "repo_id": report["repository"],
            "branch": branches[0]["branch"],
            "url": report["url"],
            "pull_requests": pulls,
        }
        replace_text(asked.output_json, json.dumps(summary, indent=2) + "\n")
    print_result(report, format_report(report))


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folder
@upload_options
def upload(folder: Path, **asked: Any) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml.
    """
    from kernel_builder.hub.upload import upload as upload_kernel

    choice = UploadOptions(**asked)
    show_report(upload_kernel(folder, choice), choice)


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folder
@click.option("--variant", "names", multiple=True, help="Only this variant (repeatable).")
@upload_options
@options.archives
def build_and_upload(folder: Path, names: Sequence[str], **asked: Any) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built, or every --variant;
    --partial uploads those that were.
    """
    # A missing library is an error before the build, not after it.
    from kernel_builder.hub.upload import upload_variants

    choice = UploadOptions(**asked)
    (result,) = build_before([folder], Choice(names, require_all=not choice.partial))
    if result.errors or not result.bundle:
        return 1
    # The others may be on the Hub already.
    choice = replace(choice, partial=True) if names else choice
    show_report(upload_variants(result.kernel, Path(result.bundle), choice), choice)
    return 0
