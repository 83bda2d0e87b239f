"""Fills the template of `_ops.py`. Builders use this file without the rest of the package."""

from __future__ import annotations

from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).with_name("templates") / "ops"
FRAMEWORKS: Final = ("torch", "tvm-ffi")


def render_ops(
    name: str, file: str | None, *, framework: str = "torch", templates: Path | None = None
) -> str:
    """Return the text of a variant's `_ops.py`, through which Python reaches the operators.

    Args:
        name: The namespace of the operators, which no other build has.
        file: The file of the compiled extension beside it, or None for a kernel without one.
        framework: "torch" or "tvm-ffi".
        templates: The folder of the templates, by default this package's.

    Raises:
        ValueError: There is no such framework.
    """
    if framework not in FRAMEWORKS:
        raise ValueError(f'there is no framework "{framework}", only {" and ".join(FRAMEWORKS)}')
    folder = f"{framework}-ext" if file else "torch-noarch"
    text = ((templates or TEMPLATES) / folder / "_ops.py").read_text(encoding="utf-8")
    return text.replace("@extension@", name).replace("@file@", file or "")
