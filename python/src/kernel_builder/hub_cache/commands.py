"""`push` sends what a build made to a binary cache."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from kernel_builder import nix
from kernel_builder.commands import options
from kernel_builder.commands.results import as_data, build_before
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import print_result
from kernel_builder.nix.quoting import nix_list
from kernel_builder.variants.make import make_path
from kernel_builder.variants.table import Choice


def _read_days(_context: click.Context, _option: Any, text: str | None) -> int | None:
    if text is not None and not re.fullmatch(r"[1-9][0-9]{0,4}d", text):
        raise click.BadParameter(f"{text!r} is no number of days, such as 30d")
    return None if text is None else int(text[:-1])


@click.command(short_help="Build, and send all of it to a binary cache.")
@click.argument("url")
@options.kernel_folders
@options.add((
    click.option("--private", is_flag=True, help="Create a new repository as a private one."),
    click.option(
        "--delete-older-than", "days", metavar="30d", callback=_read_days,
        help="Then remove pushes that were last made so many days ago.",
    ),
))  # fmt: skip
@options.choice
@options.sources
def push(url: str, folders: Sequence[Path], private: bool, days: int | None, **choice: Any) -> int:
    """Build the kernel in DIR (default: this folder) and send what was compiled for it to URL.

    URL is what `nix copy --to` takes: file:///srv/cache, s3://bucket, https://cache.example,
    ssh-ng://host. Or it is hf://ORG/NAME?secret-key=FILE, a dataset repository of the Hub, which
    --private and --delete-older-than are for. Other machines then fetch objects, headers,
    tools and variants from there and compile only what has changed. What URL has already is not
    sent, and a push that was broken off can be run again. Several DIR are built as one.
    """
    is_hub = url.startswith("hf://")
    if is_hub:
        # A wrong address or a missing library is an error before the build, not after it.
        from kernel_builder.hub_cache.cache import collect_pushes, parse_address, push_to_hub

        parse_address(url)
    elif private or days:
        raise click.UsageError("--private and --delete-older-than are for hf://ORG/NAME")
    results = build_before(folders, Choice(**choice))
    data = as_data(results, folders)
    data["url"], lines = redact(url), []
    for result, shown in zip(results, data.get("kernels", [data])):
        if result.kernel and (variants := [row.variant for row in result.rows if row.out]):
            contents = shown["contents"] = _make_contents(result.kernel, variants)
            closure = nix.list_requisites([contents])
            if is_hub:
                shown["sent"] = push_to_hub(url, closure, private=private)
            else:
                shown["sent"] = nix.copy_to(url, [contents])
            shown["present"] = len(closure) - shown["sent"]
            said = f"{shown['sent']} paths sent, {shown['present']} were there already"
            lines.append(said if len(folders) == 1 else f"{result.label}: {said}")
    if lines and days is not None:
        data["removed"] = collect_pushes(url, days)
        lines.append(f"{data['removed']} paths of old pushes removed")
    print_result(data, "\n".join(lines))
    return 1 if any(result.errors for result in results) else 0


def _make_contents(kernel: Kernel, variants: Sequence[str]) -> str:
    """Return the output `contents` of the kernel for these variants."""
    outline = f"f: ({nix.OUTLINE}) (f {nix_list(variants)})"
    return make_path(kernel.evaluate("contentsOf", outline), "the contents cannot be listed")
