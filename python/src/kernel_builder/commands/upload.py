"""`upload`: built variants, to the Hub."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import require_library
from kernel_builder.hub.target import (
    UploadOptions,
    choose_branch,
    choose_repository,
    find_untraceable,
    find_wrong_variants,
)
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.git import find_git_root
from kernel_builder.messages.errors import KernelBuilderError, Problem, UsageError
from kernel_builder.messages.terminal import clean, complain, print_json
from kernel_builder.settings import current_settings

if TYPE_CHECKING:
    from kernel_builder.hub.bundle import Bundle

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
)
# The second spelling is the one of earlier versions.
as_json: Final = click.option("--json", "--output-json", "as_json", **options.JSON)
upload_options: Final = options.gather(UploadOptions, "asked", OPTIONS)


def run_upload(kernel: Kernel | None, folder: Path, asked: UploadOptions, *, as_json: bool) -> None:
    """Check the variants in a folder, upload them, and print the report.

    Without a kernel, nothing is known but what the variants state.
    """
    from kernel_builder.hub.bundle import find_damage, read_bundle
    from kernel_builder.variants.sandbox import require_sandbox

    manifest = kernel.evaluate("manifest") if kernel else None
    repo_id = choose_repository(asked.repo_id, manifest)
    bundle = read_bundle(folder)
    asked = replace(asked, repo_id=repo_id, branch=choose_branch(asked.branch, manifest, bundle))
    problems = find_damage(bundle)
    problems += find_wrong_variants(bundle, manifest, partial=asked.partial) if manifest else []
    in_git = kernel is not None and bool(find_git_root(kernel.folder))
    problems += find_untraceable(bundle, allow_dirty=asked.allow_dirty, in_git=in_git)
    if problems:
        raise KernelBuilderError("these variants are not uploaded", problems)
    if not asked.allow_unsandboxed:
        require_sandbox(bundle.sandbox)
    if current_settings().offline:
        _list_files(bundle, asked, as_json=as_json)
        return
    require_library("huggingface_hub")
    from kernel_builder.hub.upload import upload_bundle

    report = upload_bundle(bundle, asked)
    if as_json:
        print_json(report.as_data())
    else:
        click.echo(clean(report.as_text()))
    if not all(variant.metadata.get("source") for variant in bundle.variants):
        said = "no `source` in build.toml: `verify` will not find the kernel's commit"
        complain("warning", f'{said}; state source = "https://…", its repository, in [general]')


def _list_files(bundle: Bundle, asked: UploadOptions, *, as_json: bool) -> None:
    """Print the files of an upload, without asking the Hub which of them it has."""
    if not asked.dry_run:
        problem = Problem("--offline", "an upload", "a network", "add --dry-run, or leave it out")
        raise UsageError("nothing can be uploaded offline", [problem])
    lists = [bundle.list_variant(variant) for variant in bundle.variants]
    files = sorted({path for each in [*lists, dict(bundle.list_benchmarks())] for path in each})
    place = f"{asked.repo_id}, branch {asked.branch}"
    if as_json:
        print_json({"version": 1, "place": place, "files": files})
    else:
        click.echo(clean("\n".join([f"{place} would have:", *files])))


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folder
@upload_options
@as_json
def upload(folder: Path, asked: UploadOptions, as_json: bool) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml.
    """
    no_kernel = not (folder / "build.toml").is_file() and asked.repo_id
    run_upload(None if no_kernel else Kernel(folder), folder, asked, as_json=as_json)
