"""Data for the checks: `backends/NAME/checks.json` of each backend, and `lib/platforms/systems.json`."""

import json
import os
from pathlib import Path
from typing import Any


def _read() -> "dict[str, Any]":
    # Nix gives one file with the data of the backends that the check may meet; tests run on the repository.
    file = os.environ.get("KERNEL_CHECK_FACTS")
    if file:
        return dict(json.loads(Path(file).read_text()))
    root = Path(__file__).resolve().parents[4]
    files = (root / "backends").glob("*/checks.json")
    return {
        "backends": {file.parent.name: json.loads(file.read_text()) for file in files},
        "systems": json.loads((root / "lib/platforms/systems.json").read_text()),
    }


_FACTS = _read()
BACKENDS: "dict[str, dict[str, Any]]" = _FACTS["backends"]
SYSTEMS: "dict[str, dict[str, Any]]" = _FACTS["systems"]
