"""`push`: everything that was compiled for a kernel, to a binary cache or another store."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.commands.build import build_for
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.secrets import redact
from kernel_builder.messages.terminal import print_result
from kernel_builder.variants.table import Choice, Limits


@click.command(short_help="Build, and send all of it to a binary cache.")
@click.argument("url")
@options.kernel_folder
@options.choice
@options.how_to_build
def push(url: str, folder: Path, choice: Choice, limits: Limits) -> int:
    """Build the kernel in DIR (default: this folder) and send what was compiled for it to URL.

    URL is what `nix copy --to` takes: file:///srv/cache, s3://bucket, https://cache.example,
    ssh-ng://host. Other machines then fetch objects, headers, tools and variants from there and
    compile only what has changed. What URL has already is not sent, and a push that was broken off
    can be run again.
    """
    from kernel_builder.variants.push import push_contents

    kernel = Kernel(folder, choice.targets, choice.system)
    result = build_for(kernel, choice, limits)
    data, text = {**result.as_data(), "url": redact(url)}, ""
    if names := [row.variant for row in result.rows if row.out]:
        pushed = push_contents(kernel, names, url)
        data.update(asdict(pushed))
        text = f"{pushed.sent} paths sent, {pushed.present} were there already"
    print_result(data, text)
    return 1 if result.errors else 0
