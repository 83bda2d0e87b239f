"""`upload`, which takes what is built, and `build-and-upload`, of one kernel or of many."""

import json
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options, results
from kernel_builder.hub import UploadOptions
from kernel_builder.kernel.build_toml import get_table, read_build_toml
from kernel_builder.kernel.several import Report, print_each
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.errors import KernelBuilderError, UsageError
from kernel_builder.messages.names import show
from kernel_builder.messages.terminal import say
from kernel_builder.publishing.missing import MISSING, STALE
from kernel_builder.variants.build import find_rivals
from kernel_builder.variants.table import Choice

# The result of a kernel that is not uploaded.
NOTHING: Final[Mapping[str, Any]] = {"variants": [], "branches": []}
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


def _read_options(folders: Sequence[Path], given: Mapping[str, Any]) -> UploadOptions:
    """Return the options of an upload. Raises UsageError for those that are for one kernel."""
    for name in [it for it in ("repo_id", "output_json") if given[it] and len(folders) > 1]:
        raise click.UsageError(f"--{name.replace('_', '-')} is for one DIR")
    _require_apart(folders, given["branch"])
    return UploadOptions(**given)


def _require_apart(folders: Sequence[Path], branch: str) -> None:
    """Raise UsageError if a kernel would replace the variants of another one that is uploaded."""
    stated: list[tuple[Path, Mapping[str, Any]]] = []
    given = {"branch": branch} if branch else {}
    for folder in folders if len(folders) > 1 else ():
        # The upload itself says more of a mistake in a build.toml.
        with suppress(KernelBuilderError):
            general = get_table(read_build_toml(folder)[1], "general")
            hub = {key: str(it) for key, it in {**get_table(general, "hub"), **given}.items()}
            version = str(general.get("version"))
            stated.append((folder, {"name": str(folder), "version": version, "hub": hub}))
    if rivals := [*find_rivals(stated)]:
        raise UsageError("an upload of one kernel would replace that of another", rivals)


@click.command(short_help="Build every variant and upload them.")
@options.kernel_folders
@click.option("--variant", "names", multiple=True, help="Only this variant (repeatable).")
@upload_options
@options.sources
def build_and_upload(folders: Sequence[Path], names: Sequence[str], **given: Any) -> int:
    """Build all variants of the kernel in DIR and upload them to the Hub.

    Nothing is uploaded unless every variant of this system was built, or every --variant;
    --partial uploads those that were.

    Several DIR, such as kernels/*, are built as one, and then uploaded one after another, each with
    one commit on its branch. A kernel that fails does not stop the others; the command fails at its
    end. With --missing, what was uploaded is not built again when the command is run again.

    \b
      kernel-builder build-and-upload kernels/* --missing
    """
    # A missing library is an error before the build, not after it.
    from kernel_builder.hub.upload import upload_variants

    choice = _read_options(folders, given)
    select = click.get_current_context().meta.get(results.SELECT)
    if select and choice.prune:
        raise click.UsageError("--prune is for whole builds, which --missing does not make")
    if select and choice.repo_type != UploadOptions.repo_type:
        raise click.UsageError("--missing reads repositories of kernels, and none of models")
    select = select and partial(select, repo_id=choice.repo_id, branch=choice.branch)
    selection = Choice(names, require_all=not choice.partial, select=select)
    built = results.build_before(folders, selection)
    # The others may be on the Hub already.
    choice = replace(choice, partial=True) if names or select else choice
    found = dict(zip(folders, built))

    def send(folder: Path) -> Report:
        result = found[folder]
        if result.errors or not result.bundle:
            problems = [each for error in result.errors for each in error.as_data()]
            text = "not uploaded, since it was not built" if problems else "nothing to upload"
            return {**NOTHING, "problems": problems}, text
        if len(folders) > 1:
            say(f"{result.label}:")
        report = upload_variants(result.kernel, Path(result.bundle), choice)
        return report, describe_upload(report, choice.output_json)

    status = print_each(folders, send, "uploading", at_once=1, failed=NOTHING)
    return 1 if any(each.errors for each in built) else status


build_and_upload.params += [MISSING, STALE]


@click.command(short_help="Upload what was built to the Hub.")
@options.kernel_folders
@upload_options
def upload(folders: Sequence[Path], **given: Any) -> int:
    """Upload the built variants in DIR (default: this folder) to the Hub.

    DIR is a kernel with its variants in build/ or result (which have to be the same build if both
    are there), or, with --repo-id, any folder of variants. Running it again changes only what
    differs, and goes on where it broke off. An upload that removes public names of the published
    version is refused: state a new `version` in build.toml. --dry-run with --offline lists all
    files. Several DIR, such as kernels/*, are uploaded one after another, and a kernel that fails
    does not stop the others.
    """
    from kernel_builder.hub.upload import upload as upload_kernel

    choice = _read_options(folders, given)

    def send(folder: Path) -> Report:
        if len(folders) > 1:
            say(f"{show(folder)}:")
        report = upload_kernel(folder, choice)
        return report, describe_upload(report, choice.output_json)

    return print_each(folders, send, "uploading", at_once=1, failed=NOTHING)


def describe_upload(report: Mapping[str, Any], file: Path | None) -> str:
    """Return the text of an upload, and write it to a file for scripts of Hugging Face's tool."""
    pulls, lines, status, first = [], [], "no_changes", report["branches"][0]["branch"]
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
        url = f"{report['url']}/tree/{first}" if status == "uploaded" else None
        summary = {"status": status, "repo_id": report["repository"], "branch": first}
        summary |= {"url": url, "pull_requests": pulls}
        replace_text(file, json.dumps(summary, indent=2) + "\n")
    version = f"version={first[1:]}" if re.fullmatch(r"v\d+", first) else f'revision="{first}"'
    load = f'kernels.get_kernel("{report["repository"]}", {version})'
    lines += [] if report["dry-run"] or pulls else [f"load it: {load}"]
    return "\n".join([*lines, report["url"]])
