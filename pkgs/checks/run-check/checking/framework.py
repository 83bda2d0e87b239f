"""The data of each framework for the checks."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Framework:
    """One framework. `{module}` is replaced by the extension's name."""

    name: str
    title: str
    # The folder of a kernel's Python files.
    folder: str
    # A pattern for the beginning of names of variants.
    label: str
    ending: str
    # Shell patterns of the symbols that the extension may export, and of the one that it has to export.
    exports: str
    entry: str
    entry_meaning: str
    entry_fix: str
    # The expression in `_ops.py` that gives the functions.
    use: str


FRAMEWORKS = [Framework(**each) for each in json.loads(Path(__file__).with_name("frameworks.json").read_text())]
