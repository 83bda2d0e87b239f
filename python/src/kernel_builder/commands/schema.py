"""`schema`: what editors check a build.toml with."""

from __future__ import annotations

import json

import click

from kernel_builder.kernel.repository import evaluate_library


@click.command(short_help="Print the JSON Schema of build.toml.")
def schema() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    schema = evaluate_library("jsonSchema.schema")
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
