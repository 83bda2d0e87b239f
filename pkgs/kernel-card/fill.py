"""Fill the template `$template` with `$values` and what `$modules` says of its functions."""

import ast
import json
import os
import sys
from pathlib import Path

from jinja2 import StrictUndefined, TemplateError
from jinja2.exceptions import TemplateSyntaxError
from jinja2.sandbox import SandboxedEnvironment

modules = Path(os.environ["modules"])


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


layers = public_names(modules / "layers" / "__init__.py") or public_names(modules / "layers.py")
values = {
    **json.loads(os.environ["values"]),
    "functions": [
        name for name in public_names(modules / "__init__.py") if name not in {*layers, "layers"}
    ],
    "layers": layers,
}
environment = SandboxedEnvironment(
    undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
)
try:
    card = environment.from_string(Path(os.environ["template"]).read_text(encoding="utf-8")).render(values)
except TemplateError as error:
    place = f"CARD.md, line {error.lineno}" if isinstance(error, TemplateSyntaxError) else "CARD.md"
    sys.exit(
        "the card cannot be filled\n\n"
        f"at     {place}\n"
        f"found  {error}\n"
        f"want   one of {', '.join(sorted(values))}\n"
        "fix    correct the template"
    )
Path(os.environ["out"]).write_text(card, encoding="utf-8")
