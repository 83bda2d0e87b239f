"""The options of an upload, and its result, for `upload` and `build-and-upload`."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from kernel_builder.commands import options
from kernel_builder.hub import UploadOptions
from kernel_builder.machine.files import replace_text
from kernel_builder.messages.terminal import print_result

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
    click.option(
        "--repo-type", type=click.Choice(("kernel", "model")), default="kernel", show_default=True,
        help="The kind of repository; old clients read models.",
    ),
    click.option(
        "--output-json", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        help="Also write the result to FILE, with the keys of Hugging Face's tool.",
    ),
)  # fmt: skip
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
