"""`upload`: what was built, to the Hub."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import target
from kernel_builder.hub.target import Asked
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import Problem, UsageError
from kernel_builder.messages.terminal import clean, complain, print_json
from kernel_builder.settings import current_settings

if TYPE_CHECKING:
    from kernel_builder.hub.bundle import Bundle

# The same for `upload` and `build-and-upload`.
OPTIONS: Final = (
    click.option("--repo-id", default="", metavar="OWNER/NAME", help="Upload to this repository."),
    click.option("--branch", default="", help="Upload to this branch (default: v<version>)."),
    click.option("--private", is_flag=True, help="Make a new repository private."),
    click.option("--create-pr", is_flag=True, help="Make pull requests, not changes."),
    click.option("--partial", is_flag=True, help="Upload although variants are missing."),
    click.option("--allow-dirty", is_flag=True, help="Upload what no commit has."),
    click.option(
        "--allow-unsandboxed", is_flag=True, help="Upload what may be built without a sandbox."
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Only list what would change; with --offline, all files, and the Hub is not asked.",
    ),
    # The second spelling is the one of earlier versions.
    click.option("--json", "--output-json", "as_json", **options.JSON),
)
upload_options: Final = options.gather(Asked, "asked", OPTIONS)


def run_upload(kernel: Kernel | None, folder: Path, asked: Asked) -> None:
    """Upload the variants in a folder; without a kernel, nothing is known but what they say."""
    from kernel_builder.hub.bundle import (
        read_bundle,
        require_clean,
        require_complete,
    )
    from kernel_builder.hub.whole import require_whole
    from kernel_builder.variants.sandbox import require_sandbox

    manifest = kernel.evaluate("manifest") if kernel else None
    repo_id = target.choose_repository(asked.repo_id, manifest)
    bundle = read_bundle(folder)
    branch = target.choose_branch(asked.branch, manifest, bundle)
    if manifest:
        target.require_known(bundle, manifest)
        if not asked.partial:
            target.require_all(bundle, manifest)
    require_complete(bundle)
    if not asked.allow_dirty:
        require_clean(bundle, in_git=kernel is not None and bool(find_git_root(kernel.folder)))
    require_whole(bundle)
    if not asked.allow_unsandboxed:
        require_sandbox(bundle.sandbox)
    if current_settings().offline:
        _list_files(bundle, f"{repo_id}, branch {branch}", asked)
        return
    from kernel_builder.hub.python import continue_with_library

    # Only now, since it may have to be fetched.
    continue_with_library(sys.argv[1:])
    from kernel_builder.hub.upload import upload

    report = upload(bundle, replace(asked, repo_id=repo_id, branch=branch))
    if asked.as_json:
        print_json(report.as_data())
    else:
        click.echo(clean(report.as_text()))
    if not all(variant.metadata.get("source") for variant in bundle.variants):
        said = "no `source` in build.toml: `verify` will not find the kernel's commit"
        complain("warning", f'{said}; state source = "https://…", its repository, in [general]')


def _list_files(bundle: Bundle, place: str, asked: Asked) -> None:
    """Print what an upload would bring, without asking the Hub what it has."""
    if not asked.dry_run:
        problem = Problem("--offline", "an upload", "a network", "add --dry-run, or leave it out")
        raise UsageError("nothing can be uploaded offline", [problem])
    files = sorted(path for part in bundle.parts for path in part.files)
    if asked.as_json:
        print_json({"place": place, "files": files})
    else:
        click.echo(clean("\n".join([f"{place} would have:", *files])))


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folder
@upload_options
def upload(folder: Path, asked: Asked) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. What would break code that uses the published version
    is refused: state a new `version` in build.toml.
    """
    no_kernel = not (folder / "build.toml").is_file() and asked.repo_id
    run_upload(None if no_kernel else Kernel(folder), folder, asked)
