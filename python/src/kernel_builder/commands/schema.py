"""`kernel-builder schema`: what editors check a build.toml with."""

from __future__ import annotations

import json

import click

from kernel_builder import nix
from kernel_builder.kernel.repository import find_root


@click.command("schema")
def command() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    library = f"(import (/. + {json.dumps(str(find_root() / 'lib'))}))"
    schema = nix.evaluate(["--impure", "--expr", f"{library}.jsonSchema.schema"])
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
