"""`upload`: built variants, to the Hub."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import UploadOptions
from kernel_builder.messages.terminal import print_result

# The same for `upload` and `build-and-upload`.
OPTIONS: Final = (
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
)
upload_options: Final = options.gather(UploadOptions, "asked", OPTIONS)


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


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folder
@upload_options
def upload(folder: Path, asked: UploadOptions) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml.
    """
    from kernel_builder.publish import upload_kernel

    report = upload_kernel(folder, asked)
    print_result(report, format_report(report))
