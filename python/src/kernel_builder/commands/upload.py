"""`upload` uploads what is built."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from kernel_builder.commands import options
from kernel_builder.commands.uploads import format_report, show_report, upload_options
from kernel_builder.hub import UploadOptions
from kernel_builder.kernel.folder import Kernel
from kernel_builder.kernel.several import name_kernels
from kernel_builder.messages.errors import KernelBuilderError, Problem, describe_error
from kernel_builder.messages.terminal import complain, print_result, say


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folders
@upload_options
def upload(folders: Sequence[Path], asked: UploadOptions) -> int:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml.

    Several DIR are uploaded one after another, each to the repository that its build.toml states;
    one that is refused does not stop the others.
    """
    from kernel_builder.hub.upload import upload as upload_kernel

    if len(folders) == 1:
        show_report(upload_kernel(folders[0], asked), asked)
        return 0
    if asked.repo_id:
        raise click.UsageError("--repo-id is for one kernel: state repo-id in [general.hub]")
    if asked.output_json:
        raise click.UsageError("--output-json is for one kernel: --json prints the results of all")
    kernels: list[dict[str, Any]] = []
    done: dict[str, str] = {}
    for folder, name in zip(folders, name_kernels(folders)):
        try:
            _require_own_repository(folder, done)
            report = upload_kernel(folder, asked)
            done[report["repository"]] = name
            say(f"{name}: {format_report(report)}")
            kernels.append({"folder": str(folder), **report})
        except (KernelBuilderError, OSError) as error:
            described = describe_error(error)
            complain("error", f"{name}: {described}")
            kernels.append({"folder": str(folder), "problems": described.as_data()})
    failed = [each["folder"] for each in kernels if "problems" in each]
    text = f"uploaded: {', '.join(done.values()) or 'nothing'}"
    text += f"\nnot uploaded: {', '.join(failed)}" if failed else ""
    print_result({"kernels": kernels}, text)
    return 1 if failed else 0


def _require_own_repository(folder: Path, done: Mapping[str, str]) -> None:
    """Refuse a kernel that states the repository of one that is uploaded already."""
    repository = str(Kernel(folder).toml.get("general", {}).get("hub", {}).get("repo-id", ""))
    if repository in done:
        found = f'"{repository}", where {done[repository]} was uploaded to'
        want, fix = "a repository of its own", "correct it in one of the two"
        at = f"{folder / 'build.toml'}, [general.hub] repo-id"
        raise KernelBuilderError("not uploaded", [Problem(at, found, want, fix)])
