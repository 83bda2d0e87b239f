"""The data of each backend for the checks: the files `backends/NAME/checks.json`."""

import json
import os
from pathlib import Path
from typing import Any


def _read() -> "dict[str, dict[str, Any]]":
    # Nix gives one file with the data of the backends that the check may meet; tests run on the repository.
    file = os.environ.get("KERNEL_CHECK_BACKENDS")
    if file:
        return dict(json.loads(Path(file).read_text()))
    folder = Path(__file__).resolve().parents[4] / "backends"
    return {file.parent.name: json.loads(file.read_text()) for file in folder.glob("*/checks.json")}


BACKENDS = _read()
