"""Systems by Nix's names for them: the table of kernel-builder's library."""

import json
import platform
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

_FILE: Final = "systems.json"


def _find_table() -> Path:
    # The build of a wheel copies the table, see python/setup.py. In a checkout, this is python/src.
    copied = Path(__file__).with_name(_FILE)
    checkout = Path(__file__).resolve().parents[4]
    return copied if copied.is_file() else checkout / "lib" / "platforms" / _FILE


_TEXT: Final = _find_table().read_text(encoding="utf-8")
# docs/data.md describes the fields.
TABLE: Final[Mapping[str, Mapping[str, Any]]] = json.loads(_TEXT)
SYSTEMS: Final = tuple(sorted(TABLE))


def find_system() -> str:
    """Return the system of this machine."""
    own = platform.machine(), platform.system().lower()
    known = (name for name, each in TABLE.items() if (each["machine"], each["os"]) == own)
    return next(known, "-".join(own))
