"""`kernel-builder fill-card`: CARD.md with what the build knows filled in."""

from __future__ import annotations

from pathlib import Path

import click

from kernel_builder.build.derivations import Options
from kernel_builder.kernel.folder import Kernel
from kernel_builder.messages.errors import KernelBuilderError, Problem

OUTLINE = "card: if card == null then null else { drv = card.drvPath; out = card.outPath; }"


@click.command("fill-card")
@click.argument("folder", metavar="[DIR]", default=".", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False, allow_dash=True),
    help="Write to this file, `-` for the terminal (default: build/CARD.md of the kernel).",
)
def command(folder: Path, output: Path | None) -> None:
    """Fill the card of the kernel in DIR (default: this folder); builds no variant."""
    from kernel_builder import nix
    from kernel_builder.build.make import make

    kernel = Kernel(folder)
    outline = kernel.evaluate("card", OUTLINE)
    if outline is None:
        fix = "write one: `kernel-builder init` makes it, docs/uploading.md lists the names"
        problem = Problem(str(kernel.folder), "no CARD.md", "the card's template", fix)
        raise KernelBuilderError("there is no card to fill", [problem])
    if nix.find_invalid([outline["out"]]):
        made = make([outline["drv"]], Options(print_logs=False, max_jobs=None, cores=None))
        if problems := [*made.left_out, *made.failures]:
            raise KernelBuilderError("the card cannot be filled", problems)
    card = Path(outline["out"]).read_text(encoding="utf-8")
    if output == Path("-"):
        click.echo(card, nl=False)
        return
    target = output or kernel.folder / "build" / "CARD.md"
    target.parent.mkdir(exist_ok=True)
    target.write_text(card, encoding="utf-8")
    click.echo(str(target))
