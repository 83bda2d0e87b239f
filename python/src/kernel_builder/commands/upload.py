"""`upload`: built variants, to the Hub."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import UploadOptions, require_library
from kernel_builder.hub.target import check_upload
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import Problem, UsageError
from kernel_builder.messages.terminal import print_result
from kernel_builder.settings import current_settings

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
    click.option(
        "--dry-run",
        is_flag=True,
        help="Only list what would change; with --offline, all files, and the Hub is not asked.",
    ),
    # The spelling of earlier versions.
    click.option("--output-json", hidden=True, expose_value=False, **options.JSON),
)
upload_options: Final = options.gather(UploadOptions, "asked", OPTIONS)


def run_upload(kernel: Kernel | None, folder: Path, asked: UploadOptions) -> None:
    """Check the variants in a folder, upload them, and print the report."""
    bundle, asked = check_upload(kernel, folder, asked)
    if not current_settings().offline:
        require_library("huggingface_hub")
        from kernel_builder.hub.upload import upload_bundle

        report = upload_bundle(bundle, asked)
        print_result(report.as_data(), report.as_text())
        return
    if not asked.dry_run:
        problem = Problem("--offline", "an upload", "a network", "add --dry-run, or leave it out")
        raise UsageError("nothing can be uploaded offline", [problem])
    place, files = f"{asked.repo_id}, branch {asked.branch}", bundle.list_paths()
    text = "\n".join([f"{place} would have:", *files])
    print_result({"place": place, "files": files}, text)


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
    no_kernel = not (folder / "build.toml").is_file() and asked.repo_id
    run_upload(None if no_kernel else Kernel(folder), folder, asked)
