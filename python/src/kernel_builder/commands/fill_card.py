"""`fill-card`: fill in the template of the kernel's card."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.commands import options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.machine.files import write_below
from kernel_builder.messages.errors import KernelBuilderError, Problem
from kernel_builder.messages.terminal import print_result
from kernel_builder.nix import OUTLINE
from kernel_builder.variants.make import make_path

CARD = f"card: if card == null then null else ({OUTLINE}) card"


@click.command(short_help="Fill in the kernel's card.")
@options.kernel_folder
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write to this file, `-` for the terminal (default: build/CARD.md of the kernel).",
)  # fmt: skip
def fill_card(folder: Path, output: Path | None) -> None:
    """Fill the card of the kernel in DIR (default: this folder); builds no variant."""
    kernel = Kernel(folder)
    outline = kernel.evaluate("card", CARD)
    if outline is None:
        fix = "write one: `kernel-builder init` makes it, docs/uploading.md lists the names"
        problem = Problem(str(kernel.folder), "no CARD.md", "the card's template", fix)
        raise KernelBuilderError(f"{kernel.folder} has no CARD.md", [problem])
    made = make_path(outline, f"the card of {kernel.folder.name} cannot be filled")
    card = Path(made).read_text(encoding="utf-8")
    if output == Path("-"):
        click.echo(card, nl=False)
        return
    if output:
        output.write_text(card, encoding="utf-8")
    else:
        write_below(kernel.folder, "build/CARD.md", card.encode())
    place = str(output or kernel.folder / "build" / "CARD.md")
    print_result({"card": place}, place)
