"""Fill the template `$template` with `$values` and the names of the functions in `$pythonFiles`.

A bad template must not fail a build whose variants are fine. So the result is always a card that the
Hub can read: missing metadata are added, and a minimal card replaces a template that cannot be filled,
with a warning.
"""

import ast
import json
import os
import re
import resource
import signal
import sys
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NoReturn

import yaml
from huggingface_hub import ModelCard
from jinja2 import TemplateError, TemplateSyntaxError, Undefined
from jinja2.exceptions import SecurityError
from jinja2.sandbox import SandboxedEnvironment

# Limits for a template, in seconds and bytes. Filling a card takes milliseconds.
LIMIT = 60
MEMORY = 1 << 30
# In characters. Cards of published kernels have a few thousand.
LARGEST = 1 << 20
BLOCK = re.compile(r"\A---\s*\n(.*?\n)?---\s*(\n|\Z)", re.DOTALL)


def warn(at: str, found: str, want: str, fix: str) -> None:
    """Print a warning of the usual form."""
    headline = "warning: the card is not as CARD.md says (1 problem)"
    fields = (("at", at), ("found", found), ("want", want), ("fix", fix))
    lines = [f"       {name:<7}{' '.join(text.split())}" for name, text in fields]
    print("\n".join([headline, "", *lines]), file=sys.stderr)


class CardEnvironment(SandboxedEnvironment):
    """A sandbox without the power operator, which the time limit cannot interrupt."""

    intercepted_binops = frozenset({"**"})

    def call_binop(self, *arguments: Any) -> NoReturn:
        """Refuse the operator, whatever its operands are."""
        raise SecurityError(f"{arguments[1]} is not allowed")


def public_names(file: Path) -> "list[str]":
    """Return `__all__` of a Python file without running it; an empty list if it is computed."""
    try:
        for node in ast.parse(file.read_bytes()).body:
            if isinstance(node, ast.Assign) and any(
                isinstance(target, ast.Name) and target.id == "__all__" for target in node.targets
            ):
                return [str(name) for name in ast.literal_eval(node.value)]
    except (OSError, SyntaxError, ValueError):
        return []
    return []


def fill(template: str, values: "dict[str, Any]") -> "str | None":
    """Return the filled template, with unknown names empty; None if it cannot be filled."""
    unknown: list[str] = []

    class Unknown(Undefined):
        """A name in the template without a value."""

        def __init__(self, *arguments: Any, **keywords: Any) -> None:
            super().__init__(*arguments, **keywords)
            if self._undefined_name:
                unknown.append(self._undefined_name)

    environment = CardEnvironment(undefined=Unknown, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True)
    try:
        card = environment.from_string(template).render(values)
        if len(card) > LARGEST:
            raise ValueError(f"a card of {len(card)} characters")
    except Exception as error:
        line = f", line {error.lineno}" if isinstance(error, TemplateSyntaxError) else ""
        known = f"a template of Jinja with these names: {', '.join(sorted(values))}"
        found = str(error) if isinstance(error, (TemplateError, ValueError)) else repr(error)
        warn(f"CARD.md{line}", found, known, "correct the template; until then, a minimal card takes its place")
        return None
    for name in dict.fromkeys(unknown):
        near = get_close_matches(name, values, 1, 0.5)
        fix = f'did you mean "{near[0]}"?' if near else "take it out"
        warn("CARD.md", f'"{name}", which is empty', f"one of {', '.join(sorted(values))}", fix)
    return card


def write_minimal(values: "dict[str, Any]") -> str:
    """Return the text of a card without a template."""
    names = "".join(f"- `{name}`\n" for name in values["functions"])
    return f"\n# {values['repo_id'] or values['name']}\n" + (f"\n## Functions\n\n{names}" if names else "")


def add_metadata(card: str, values: "dict[str, Any]") -> str:
    """Return the card, with metadata added if the Hub's library reads none."""
    try:
        if ModelCard(card, ignore_metadata_errors=False).data.to_dict():
            return card
        found = "no metadata"
    except (ValueError, yaml.YAMLError) as error:
        found = str(error)
    want = "metadata as YAML between two lines `---` at the top, such as `library_name: kernels`"
    warn("CARD.md", found, want, "write it there, or leave it to the build, which puts in what it knows")
    known = {"library_name": "kernels", "license": values["license"], "tags": ["kernel"]}
    block = yaml.safe_dump({name: value for name, value in known.items() if value}, sort_keys=False)
    return f"---\n{block}---\n{BLOCK.sub('', card, count=1)}"


def stop(*_: Any) -> NoReturn:
    """End a template that takes too long."""
    raise ValueError(f"no end within {LIMIT} s")


def main() -> None:
    """Write the card."""
    files = Path(os.environ["pythonFiles"])
    layers = public_names(files / "layers" / "__init__.py") or public_names(files / "layers.py")
    functions = public_names(files / "__init__.py")
    values = {
        **json.loads(os.environ["values"]),
        "functions": [name for name in functions if name not in {*layers, "layers"}],
        "layers": layers,
    }
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(LIMIT)
    card = fill(Path(os.environ["template"]).read_text(encoding="utf-8-sig", errors="replace"), values)
    signal.alarm(0)
    text = write_minimal(values) if card is None else card
    Path(os.environ["out"]).write_text(add_metadata(text, values), encoding="utf-8")


main()
