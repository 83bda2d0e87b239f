"""`schema`: the keys of build.toml, for editors."""

import json

import click

from kernel_builder.kernel.builder import evaluate_library


@click.command(short_help="Print the JSON Schema of build.toml.")
def schema() -> None:
    """Print the JSON Schema of build.toml.

    Editors use it where a build.toml begins with `#:schema PATH`.
    """
    data = evaluate_library("config.jsonSchema.schema")
    click.echo(json.dumps(data, indent=2, ensure_ascii=False))
