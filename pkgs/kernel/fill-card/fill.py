"""Fill the template `$template` with `$values` and what `$pythonFiles` says of its functions.

The result has to be a card as the Hub reads it: its own library parses the metadata.
"""

import ast
import json
import os
import sys
from pathlib import Path
from typing import NoReturn

import yaml
from huggingface_hub import ModelCard
from jinja2 import StrictUndefined, TemplateError
from jinja2.exceptions import TemplateSyntaxError
from jinja2.sandbox import SandboxedEnvironment

files = Path(os.environ["pythonFiles"])


def fail(at: str, found: str, want: str, fix: str) -> NoReturn:
    """End with a message of the usual form."""
    sys.exit(f"the card cannot be filled\n\nat     {at}\nfound  {found}\nwant   {want}\nfix    {fix}")


def public_names(file: Path) -> "list[str]":
    """Return what `__all__` lists in a Python file, read and not run; nothing if it is computed."""
    if not file.is_file():
        return []
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
        ):
            try:
                return [str(name) for name in ast.literal_eval(node.value)]
            except ValueError:
                return []
    return []


def fill(template: str, values: "dict[str, object]") -> str:
    """Return the template with its names replaced."""
    environment = SandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    try:
        return environment.from_string(template).render(values)
    except TemplateError as error:
        line = f", line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
        fail(f"CARD.md{line}", str(error), f"one of {', '.join(sorted(values))}", "correct the template")


def check(card: str) -> None:
    """Fail unless the Hub's library finds metadata in the card."""
    try:
        metadata = ModelCard(card).data.to_dict()
    except (ValueError, yaml.YAMLError) as error:
        fail("CARD.md, between the lines `---`", str(error), "metadata as YAML", "correct the template")
    if not metadata:
        want = "metadata between two lines `---` at the top, such as `library_name: kernels`"
        fail("CARD.md", "no metadata", want, "write it there; `kernel-builder init` shows how")


layers = public_names(files / "layers" / "__init__.py") or public_names(files / "layers.py")
functions = public_names(files / "__init__.py")
card = fill(
    Path(os.environ["template"]).read_text(encoding="utf-8"),
    {
        **json.loads(os.environ["values"]),
        "functions": [name for name in functions if name not in {*layers, "layers"}],
        "layers": layers,
    },
)
check(card)
Path(os.environ["out"]).write_text(card, encoding="utf-8")
