"""`kernel-builder upload`: what was built, to the Hub."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from kernel_builder.hub.python import continue_with_library


@dataclass(frozen=True)
class UploadOptions:
    """How to upload; these options are the same for `upload` and `build-and-upload`."""

    repo_id: str | None
    branch: str | None
    private: bool
    create_pr: bool
    partial: bool
    allow_dirty: bool
    dry_run: bool
    output_json: bool

    @classmethod
    def take(cls, given: dict[str, Any]) -> UploadOptions:
        """Return these options, taken out of all that were given."""
        return cls(**{name: given.pop(name) for name in cls.__dataclass_fields__})


def upload_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of an upload."""
    options = (
        click.option("--repo-id", metavar="OWNER/NAME", help="Upload to this repository."),
        click.option("--branch", help="Upload to this branch (default: v<version>)."),
        click.option("--private", is_flag=True, help="Make a new repository private."),
        click.option("--create-pr", is_flag=True, help="Make pull requests, not changes."),
        click.option("--partial", is_flag=True, help="Upload although variants are missing."),
        click.option("--allow-dirty", is_flag=True, help="Upload what no commit has."),
        click.option("--dry-run", is_flag=True, help="Only list what would change."),
        click.option("--output-json", is_flag=True, help="Print what was done as JSON."),
    )
    for option in reversed(options):
        command = option(command)
    return command


def run_upload(kernel: Any, manifest: Any, folder: Path, options: UploadOptions) -> None:
    """Upload the variants in a folder; `kernel` and `manifest` are None if it is no kernel."""
    import json

    from kernel_builder.hub.bundle import read_bundle, require_clean, require_whole
    from kernel_builder.hub.target import (
        Stated,
        choose_branch,
        choose_repository,
        require_all,
        require_known,
    )
    from kernel_builder.hub.upload import Request, upload
    from kernel_builder.machine.git import is_in_git

    stated = Stated.read(manifest) if manifest else Stated()
    repo_id = choose_repository(options.repo_id, stated)
    bundle = read_bundle(folder)
    branch = choose_branch(options.branch, stated, bundle)
    require_known(bundle, stated, manifest["system"] if manifest else "")
    if not options.partial:
        require_all(bundle, stated)
    if not options.allow_dirty:
        require_clean(bundle, in_git=kernel is not None and is_in_git(kernel.folder))
    require_whole(bundle.variants)
    report = upload(
        Request(bundle, repo_id, branch, options.private, options.create_pr, options.dry_run)
    )
    if options.output_json:
        click.echo(json.dumps(report.as_data(), indent=2))
    else:
        click.echo(report.as_text())


@click.command("upload")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@upload_options
def command(folder: Path, **given: Any) -> None:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result, or, with --repo-id, any folder of
    variants. Running it again changes only what differs, and goes on where it broke off.
    """
    options = UploadOptions.take(given)
    continue_with_library(sys.argv[1:])
    if not (folder / "build.toml").is_file() and options.repo_id:
        run_upload(None, None, folder, options)
        return
    from kernel_builder.kernel.folder import Kernel

    kernel = Kernel(folder)
    run_upload(kernel, kernel.evaluate("manifest"), folder, options)
