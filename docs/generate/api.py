"""Writes docs/reference/api.md out of the docstrings of `kernel_builder`."""

from __future__ import annotations

import inspect
import re
from typing import Any

import kernel_builder

HEAD = """# The Python API

Fill `_ops.py`, check an import and upload variants from Python, with the code of the builds and of the
[command line](command-line.md). For everything else, run the commands with `--json`.

```sh
pip install ./python      # in a checkout of kernel-builder
python -c 'import kernel_builder; help(kernel_builder)'
```

Results are plain data. This page is written from the docstrings.
"""


def write_reference() -> str:
    """Return the page as Markdown."""
    names = [name for name in kernel_builder.__all__ if name[0] != "_"]
    # Functions first: classes are their arguments and results.
    names.sort(key=lambda name: (name[0].isupper(), name))
    sections = [_describe(name, getattr(kernel_builder, name)) for name in names]
    return "\n".join([HEAD, *sections])


def _describe(name: str, value: Any) -> str:
    # Types without their modules.
    signature = re.sub(
        r"[a-z_.]+\.(?=[A-Z])", "", str(inspect.signature(value)).replace("'", "")
    )
    text = re.sub(
        r"^(\w+):$", r"**\1**\n", inspect.getdoc(value) or "", flags=re.MULTILINE
    )
    # An argument or an exception; longer texts go on in the next line.
    text = re.sub(r"^ {4}(\w+): ", r"- `\1`: ", text, flags=re.MULTILINE)
    text = re.sub(r"^ {4,}", "", text, flags=re.MULTILINE)
    return f"## {name}\n\n```python\n{name}{signature}\n```\n\n{text}\n"
